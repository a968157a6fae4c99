// Colour by a number: which field, which component, which range, which colour.
import { Color, DataTexture, LinearFilter, SRGBColorSpace } from 'three';
import type { Field, Frame } from './frames';

// viridis (S. van der Walt and N. Smith, CC0), at equal distances.
export const stops = ['440154', '482878', '3e4989', '31688e', '26828e', '1f9e89', '35b779', '6ece58', 'b5de2b', 'fde725'];
const rgb = stops.map((s) => [0, 2, 4].map((i) => parseInt(s.slice(i, i + 2), 16)));

const tableSize = 256;
const table = new Uint8Array(4 * tableSize);
for (let i = 0; i < tableSize; ++i) {
  const place = (i / (tableSize - 1)) * (rgb.length - 1);
  const k = Math.min(Math.floor(place), rgb.length - 2);
  for (let c = 0; c < 3; ++c) table[4 * i + c] = Math.round(rgb[k][c] + (place - k) * (rgb[k + 1][c] - rgb[k][c]));
  table[4 * i + 3] = 255;
}

export const colourTexture = new DataTexture(table, tableSize, 1);
colourTexture.colorSpace = SRGBColorSpace;
colourTexture.minFilter = colourTexture.magFilter = LinearFilter;
colourTexture.needsUpdate = true;

export const absentColour = new Color(0x777777); // of NaN

export function cssGradient(): string {
  return `linear-gradient(to top, ${stops.map((s) => '#' + s).join(', ')})`;
}

export interface Range {
  low: number;
  high: number;
}

export function colourOf(value: number, range: Range, into: Color): Color {
  if (!Number.isFinite(value)) return into.copy(absentColour);
  const place = range.high > range.low ? (value - range.low) / (range.high - range.low) : 0.5;
  const i = 4 * Math.round(Math.min(1, Math.max(0, place)) * (tableSize - 1));
  return into.setRGB(table[i] / 255, table[i + 1] / 255, table[i + 2] / 255, SRGBColorSpace);
}

// "bodies/velocity" (size of the vector), "bodies/velocity.x", "sand/pressure"
export interface ColourField {
  id: string;
  group: string; // "bodies"
  label: string;
  unit: string;
  array: string;
  component: number; // -1: the size of a vector
}

export const groupOf = (array: string) => array.slice(0, array.lastIndexOf('/'));

const componentNames: Record<number, string[]> = {
  2: ['x', 'y'],
  3: ['x', 'y', 'z'],
  4: ['w', 'x', 'y', 'z'],
  6: ['xx', 'yy', 'zz', 'yz', 'xz', 'xy'],
  9: ['xx', 'xy', 'xz', 'yx', 'yy', 'yz', 'zx', 'zy', 'zz'],
};

// What things can be coloured by: every array with one row per thing of its group.
export function colourFields(frame: Frame, sizes: Map<string, number>): ColourField[] {
  const list: ColourField[] = [];
  for (const field of frame.fields.values()) {
    const group = groupOf(field.name);
    const size = sizes.get(group);
    if (!size || field.data.length === 0 || field.data.length % size !== 0) continue;
    const components = field.data.length / size;
    const label = field.name.replaceAll('_', ' ').replaceAll('/', ' ');
    const base = { group, unit: field.unit, array: field.name };
    if (components === 1) {
      list.push({ ...base, id: field.name, label, component: 0 });
      continue;
    }
    if (components <= 3) list.push({ ...base, id: field.name, label: `${label}, size`, component: -1 });
    const names = componentNames[components] ?? Array.from({ length: components }, (_, i) => String(i));
    names.forEach((name, component) =>
      list.push({ ...base, id: `${field.name}.${name}`, label: `${label}, ${name}`, component }),
    );
  }
  return list;
}

export function valuesOf(field: Field, component: number, size: number): Float32Array {
  const width = field.data.length / size;
  const out = new Float32Array(size);
  for (let i = 0; i < size; ++i) {
    if (component >= 0) {
      out[i] = field.data[i * width + component];
      continue;
    }
    let square = 0;
    for (let c = 0; c < width; ++c) square += field.data[i * width + c] ** 2;
    out[i] = Math.sqrt(square);
  }
  return out;
}

export function rangeOf(values: ArrayLike<number>): Range | null {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; ++i) {
    if (values[i] < low) low = values[i];
    if (values[i] > high) high = values[i];
  }
  return low <= high && Number.isFinite(low) && Number.isFinite(high) ? { low, high } : null;
}
