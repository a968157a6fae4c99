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
  return size >= 1e5 || size < 1e-3 ? value.toExponential(digits - 1) : String(+value.toPrecision(digits));
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
