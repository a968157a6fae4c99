import type { Range } from './colour';

// What a reload must keep: time, camera, colours ... in the part of the address behind '#'.
export type State = Partial<Record<'t' | 'camera' | 'field' | 'range' | 'seen' | 'follow' | 'layers' | 'speed' | 'size', string>>;

export function readAddress(): State {
  return Object.fromEntries(new URLSearchParams(location.hash.slice(1))) as State;
}

// "low,high"
export function readRange(text: string | undefined): Range | null {
  const [low, high, ...rest] = (text ?? '').split(',').map((word) => (word.trim() ? Number(word) : NaN));
  return rest.length === 0 && low < high && Number.isFinite(high - low) ? { low, high } : null;
}
export const writeRange = (range: Range | null) => (range ? `${range.low},${range.high}` : '');

let latest: State | null = null;

function write() {
  if (!latest) return;
  const kept = Object.entries(latest).filter(([, value]) => value !== '' && value !== undefined) as [string, string][];
  latest = null;
  // Commas and slashes may stand as they are: an address is read by people too.
  const hash = new URLSearchParams(kept).toString().replaceAll('%2C', ',').replaceAll('%2F', '/');
  history.replaceState(null, '', `${location.pathname}${location.search}#${hash}`);
}

// Browsers limit how often the address may change: a few times a second, and when the page goes.
export function writeAddress(state: State) {
  if (!latest) window.setTimeout(write, 250);
  latest = state;
}
addEventListener('pagehide', write);
