// Draws the ellipsoids of `hardpan_make_result ellipsoids` by plain ray tracing, as the viewer should.
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const combine = (a, s, b) => a.map((v, c) => v + s * b[c]); // a + s b
const unit = (a) => a.map((v) => v / Math.hypot(...a));
const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
const encoded = (c) => (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055);

const axes = [1, 0.6, 0.8];
const plain = [0xb8, 0x93, 0x5f].map((v) => linear(v / 255));
const light = unit([0.35, 0.75, 0.55]); // right, up, towards the eye

function grain(i, side) {
  const radius = 0.1 + 0.02 * Math.sin(7 * i);
  const [w, x, y, z] = [Math.cos(i), ...[Math.cos(2 * i), 0.6 * Math.sin(2 * i), 0.8 * Math.sin(2 * i)].map((v) => v * Math.sin(i))];
  const directions = [ // of the body's axes
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
  return {
    centre: [i % side, Math.floor(i / side) % side, Math.floor(i / side / side)].map((place) => 0.15 * place + 0.15),
    gauge: directions.map((d, c) => d.map((v) => v / (axes[c] * radius))), // |gauge (p - centre)| = 1 on the surface
  };
}

// Where the ray meets the ellipsoid first, and the normal there.
function hit({ centre, gauge }, eye, ray) {
  const from = gauge.map((row) => dot(row, combine(eye, -1, centre)));
  const along = gauge.map((row) => dot(row, ray));
  const [a, b, c] = [dot(along, along), dot(from, along), dot(from, from) - 1];
  if (b * b < a * c) return null;
  const distance = (-b - Math.sqrt(b * b - a * c)) / a;
  const place = combine(from, distance, along);
  return { distance, normal: unit([0, 1, 2].map((k) => dot(place, gauge.map((row) => row[k])))) };
}

// Over a picture of what is behind them.
export function drawEllipsoids(png, count, eye, target) {
  const side = Math.ceil(Math.cbrt(count));
  const grains = Array.from({ length: count }, (_, i) => grain(i, side));
  const back = unit(combine(eye, -1, target));
  const right = unit(cross([0, 0, 1], back));
  const up = cross(back, right);
  const pixel = (2 * Math.tan((20 * Math.PI) / 180)) / png.height;
  for (let row = 0; row < png.height; ++row)
    for (let column = 0; column < png.width; ++column) {
      const across = combine(combine([0, 0, 0], pixel * (column + 0.5 - png.width / 2), right), pixel * (png.height / 2 - row - 0.5), up);
      const ray = unit(combine(across, -1, back));
      const hits = grains.map((g) => hit(g, eye, ray)).filter(Boolean);
      if (!hits.length) continue;
      const { normal } = hits.reduce((a, b) => (a.distance < b.distance ? a : b));
      const seen = [right, up, back].map((axis) => dot(axis, normal));
      const lit = 0.5 + 0.55 * Math.max(dot(seen, light), 0) + 0.1 * seen[1];
      plain.forEach((c, k) => (png.data[(row * png.width + column) * png.channels + k] = Math.round(255 * encoded(c * lit))));
    }
}
