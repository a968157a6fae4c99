// Reads what hardpan/record/bundle.h writes: a JSON head and typed arrays.

export type Numbers = Float32Array | Float64Array | Int32Array;

interface ArrayEntry {
  type: 'f64' | 'f32' | 'i32' | 'q16' | 'd32';
  offset: number;
  count: number;
  base?: number;
  frames?: number;
  low?: number[];
  high?: number[];
}

export interface Bundle<Head> {
  head: Head;
  arrays: Numbers[];
}

const absent = 65535;
const steps = 65534;

// 16-bit steps between low and high, as differences from frame to frame; low bytes first, then high bytes.
function unquantised(bytes: Uint8Array, entry: ArrayEntry): Float32Array {
  const { count, frames = 1, low = [0], high = [0] } = entry;
  const frame = count / frames;
  const components = low.length;
  const scale = low.map((l, c) => (high[c] - l) / steps);
  const before = new Uint16Array(frame);
  const out = new Float32Array(count);
  for (let i = 0; i < count; ++i) {
    const code = (before[i % frame] + bytes[i] + (bytes[count + i] << 8)) & 0xffff;
    before[i % frame] = code;
    out[i] = code === absent ? NaN : low[i % components] + code * scale[i % components];
  }
  return out;
}

function summed(changes: Int32Array, frames: number): Int32Array {
  const frame = changes.length / frames;
  const out = changes.slice();
  for (let i = frame; i < out.length; ++i) out[i] = out[i - frame] + out[i];
  return out;
}

function read(data: ArrayBuffer, start: number, entry: ArrayEntry): Numbers {
  const at = start + entry.offset;
  switch (entry.type) {
    case 'f64':
      return new Float64Array(data, at, entry.count);
    case 'f32': {
      const values = new Float32Array(data, at, entry.count);
      return entry.base ? Float64Array.from(values, (v) => v + entry.base!) : values;
    }
    case 'i32':
      return new Int32Array(data, at, entry.count);
    case 'q16':
      return unquantised(new Uint8Array(data, at, 2 * entry.count), entry);
    case 'd32':
      return summed(new Int32Array(data, at, entry.count), entry.frames ?? 1);
  }
}

export function readBundle<Head>(data: ArrayBuffer): Bundle<Head> {
  const magic = new TextDecoder().decode(new Uint8Array(data, 0, Math.min(4, data.byteLength)));
  if (magic !== 'HPB1' || data.byteLength < 8) throw new Error('these are not data of Hardpan');
  const length = new DataView(data).getUint32(4, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 8, length)));
  return { head, arrays: (head.arrays as ArrayEntry[]).map((entry) => read(data, 8 + length, entry)) };
}
