// Small helpers to build pages.

type Child = Node | string | null;

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> & { [name: `data-${string}` | `aria-${string}`]: string } = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties))
    if (name.includes('-')) element.setAttribute(name, String(value));
    else (element as unknown as Record<string, unknown>)[name] = value;
  element.append(...children.filter((c): c is Node | string => c !== null));
  return element;
}

export function option(value: string, label: string) {
  return make('option', { value }, label);
}

// A number as people write it: enough digits, no more.
export function plain(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size >= 1e5 || size < 1e-3 ? value.toExponential(digits - 1).replace(/\.?0+e/, 'e') : String(+value.toPrecision(digits));
}

// Calls back when the colours of the page have changed: light or dark, or light for paper.
export function onTheme(changed: () => void) {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
  for (const moment of ['beforeprint', 'afterprint'])
    addEventListener(moment, () => {
      document.documentElement.classList.toggle('printing', moment === 'beforeprint');
      changed();
    });
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
