// Reads the PNG files that browsers write (8 bits, RGB or RGBA, not interlaced) and says what is in them.
import { inflateSync } from 'node:zlib';

export function readPng(file) {
  if (file.readUInt32BE(0) !== 0x89504e47) throw new Error('not a PNG file');
  let width = 0;
  let height = 0;
  let channels = 4;
  const parts = [];
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at);
    const kind = file.toString('latin1', at + 4, at + 8);
    const body = file.subarray(at + 8, at + 8 + length);
    if (kind === 'IHDR') {
      width = body.readUInt32BE(0);
      height = body.readUInt32BE(4);
      if (body[8] !== 8 || ![2, 6].includes(body[9]) || body[12]) throw new Error('a PNG of another kind');
      channels = body[9] === 6 ? 4 : 3;
    } else if (kind === 'IDAT') parts.push(body);
    at += 12 + length;
  }
  return { width, height, channels, data: unfilter(inflateSync(Buffer.concat(parts)), width * channels, height, channels) };
}

function paeth(a, b, c) {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

function unfilter(raw, stride, height, channels) {
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; ++y) {
    const filter = raw[y * (stride + 1)];
    for (let i = 0; i < stride; ++i) {
      const left = i >= channels ? out[y * stride + i - channels] : 0;
      const above = y ? out[(y - 1) * stride + i] : 0;
      const corner = y && i >= channels ? out[(y - 1) * stride + i - channels] : 0;
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter];
      out[y * stride + i] = (raw[y * (stride + 1) + 1 + i] + guess) & 255;
    }
  }
  return out;
}

// How many of the 4096 coarse colours occur in at least `least` pixels.
export function colourCount(png, least = 20) {
  const counts = new Map();
  for (let i = 0; i < png.data.length; i += png.channels) {
    const key = ((png.data[i] >> 4) << 8) | ((png.data[i + 1] >> 4) << 4) | (png.data[i + 2] >> 4);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts.values()].filter((n) => n >= least).length;
}

// The share of pixels that differ clearly, by more than so much of 255, between two pictures of one size.
export function difference(a, b, least = 24) {
  if (a.width !== b.width || a.height !== b.height) return 1;
  let differ = 0;
  const count = a.width * a.height;
  for (let i = 0; i < count; ++i) {
    let most = 0;
    for (let c = 0; c < 3; ++c) most = Math.max(most, Math.abs(a.data[i * a.channels + c] - b.data[i * b.channels + c]));
    if (most > least) ++differ;
  }
  return differ / count;
}

// The share of pixels near a colour [r, g, b].
export function shareNear(png, colour, within = 40) {
  let near = 0;
  for (let i = 0; i < png.data.length; i += png.channels)
    if (colour.every((v, c) => Math.abs(png.data[i + c] - v) <= within)) ++near;
  return near / (png.width * png.height);
}
