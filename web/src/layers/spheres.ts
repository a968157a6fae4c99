// Very many spheres: each is one triangle across the line of sight, on which the graphics processor intersects the sphere
// with the ray of every pixel. Triangles are made from nothing but their number; centres and radii lie in a texture. (One
// instance per sphere would do the same, but software rendering takes 20 us for each.)
import {
  BufferGeometry, Color, DataTexture, FloatType, GLSL3, Mesh, RawShaderMaterial, RedFormat, RGBAFormat, Vector3,
  type Box3,
} from 'three';
import { absentColour, colourTexture, groupOf, type Range } from '../colour';
import type { Frame } from '../frames';
import type { Scene } from '../scene';
import { fieldOf, isPlace, type Layer } from './layer';

const vertexShader = `
precision highp float;
precision highp sampler2D;
uniform mat4 modelViewMatrix, projectionMatrix;
uniform sampler2D spheres, values;
flat out vec3 vCentre;
flat out float vRadius, vValue;
out vec3 vPoint;
const vec2 corners[3] = vec2[3](vec2(0.0, 2.0), vec2(-1.7320509, -1.0), vec2(1.7320509, -1.0)); // about the unit circle
void main() {
  int number = gl_VertexID / 3, width = textureSize(spheres, 0).x;
  ivec2 place = ivec2(number % width, number / width);
  vec4 sphere = texelFetch(spheres, place, 0);
  vValue = texelFetch(values, place, 0).r;
  vCentre = (modelViewMatrix * vec4(sphere.xyz, 1.0)).xyz;
  vRadius = sphere.w;
  // The triangle hides the whole sphere: the outline is a circle of this radius.
  float away = length(vCentre);
  float outline = vRadius * away / sqrt(max(away * away - vRadius * vRadius, 1e-12));
  vec3 sight = vCentre / away;
  vec3 right = normalize(cross(sight, abs(sight.y) < 0.9 ? vec3(0, 1, 0) : vec3(1, 0, 0)));
  vec2 corner = corners[gl_VertexID % 3];
  vPoint = vCentre + outline * (corner.x * right + corner.y * cross(right, sight));
  gl_Position = vRadius > 0.0 ? projectionMatrix * vec4(vPoint, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}`;

const fragmentShader = `
precision highp float;
uniform mat4 projectionMatrix;
uniform sampler2D scale;
uniform vec2 range;
uniform vec3 plain, absent, light;
uniform bool coloured;
flat in vec3 vCentre;
flat in float vRadius, vValue;
in vec3 vPoint;
out vec4 colour;
float encoded(float c) { return c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1.0 / 2.4) - 0.055; }
void main() {
  vec3 ray = normalize(vPoint);
  float along = dot(ray, vCentre);
  float inside = vRadius * vRadius - dot(vCentre, vCentre) + along * along;
  if (inside < 0.0) discard;
  vec3 point = ray * (along - sqrt(inside));
  vec3 normal = (point - vCentre) / vRadius;
#ifdef EXACT_DEPTH
  vec4 clip = projectionMatrix * vec4(point, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
#endif
  vec3 base = plain;
  if (coloured) {
    float place = range.y > range.x ? (vValue - range.x) / (range.y - range.x) : 0.5;
    base = vValue == vValue ? texture(scale, vec2(clamp(place, 0.002, 0.998), 0.5)).rgb : absent;
  }
  float lit = 0.5 + 0.55 * max(dot(normal, light), 0.0) + 0.1 * normal.y;
  vec3 shown = base * lit;
  colour = vec4(encoded(shown.r), encoded(shown.g), encoded(shown.b), 1.0);
}`;

// Where spheres cut into each other can be seen from this size on, in pixels; below, depth by the centre lets the
// graphics processor skip what is hidden.
const exactFrom = 6;
const textureWidth = 1024;

function floatTexture(count: number, format: typeof RGBAFormat | typeof RedFormat): DataTexture {
  const rows = Math.max(1, Math.ceil(count / textureWidth));
  const data = new Float32Array(textureWidth * rows * (format === RGBAFormat ? 4 : 1));
  return new DataTexture(data, textureWidth, rows, format, FloatType);
}

export class Spheres implements Layer {
  readonly name: string;
  readonly group: string;
  readonly shownAtFirst = true;
  readonly object: Mesh<BufferGeometry, RawShaderMaterial>;
  size = 0;
  private positions: ArrayLike<number> = [];
  private meanRadius = 0;
  private readonly uniforms = {
    spheres: { value: floatTexture(0, RGBAFormat) },
    values: { value: floatTexture(0, RedFormat) },
    scale: { value: colourTexture },
    range: { value: [0, 1] },
    plain: { value: new Color(0xb8935f) },
    absent: { value: absentColour },
    light: { value: new Vector3(0.35, 0.75, 0.55).normalize() },
    coloured: { value: false },
  };
  private readonly exact = this.material({ EXACT_DEPTH: 1 });
  private readonly quick = this.material({});

  constructor(private readonly spheres: NonNullable<Scene['spheres']>[number]) {
    this.name = spheres.name;
    this.group = groupOf(spheres.position);
    this.object = new Mesh(new BufferGeometry(), this.exact);
    this.object.frustumCulled = false;
    this.object.raycast = () => {};
  }

  private material(defines: Record<string, number>) {
    return new RawShaderMaterial({ glslVersion: GLSL3, vertexShader, fragmentShader, uniforms: this.uniforms, defines });
  }

  private reserve(size: number) {
    if (size === this.size) return;
    this.size = size;
    for (const texture of [this.uniforms.spheres, this.uniforms.values]) texture.value.dispose();
    this.uniforms.spheres.value = floatTexture(size, RGBAFormat);
    this.uniforms.values.value = floatTexture(size, RedFormat);
    this.object.geometry.setDrawRange(0, 3 * size);
  }

  update(frame: Frame) {
    const position = fieldOf(frame, this.spheres.position).data;
    const { radius } = this.spheres;
    const radii = typeof radius === 'string' ? fieldOf(frame, radius).data : null;
    this.positions = position;
    this.reserve(position.length / 3);
    const texture = this.uniforms.spheres.value;
    const data = texture.image.data as Float32Array;
    const p = new Vector3();
    let sum = 0;
    for (let i = 0; i < this.size; ++i) {
      const r = radii ? radii[i] : (radius as number);
      const there = isPlace(p.fromArray(position, 3 * i));
      data[4 * i] = p.x;
      data[4 * i + 1] = p.y;
      data[4 * i + 2] = p.z;
      data[4 * i + 3] = there ? r : 0;
      sum += there ? r : 0;
    }
    texture.needsUpdate = true;
    this.meanRadius = this.size ? sum / this.size : 0;
  }

  colour(values: Float32Array | null, range: Range) {
    this.uniforms.coloured.value = values !== null;
    this.uniforms.range.value = [range.low, range.high];
    if (!values) return;
    const texture = this.uniforms.values.value;
    (texture.image.data as Float32Array).set(values);
    texture.needsUpdate = true;
  }

  lookFrom(pixelsPerMetre: number) {
    this.object.material = this.meanRadius * pixelsPerMetre > exactFrom ? this.exact : this.quick;
  }

  extend(box: Box3) {
    const p = new Vector3();
    const reach = this.meanRadius;
    for (let i = 0; i < this.size; ++i) {
      p.fromArray(this.positions, 3 * i);
      if (!isPlace(p)) continue;
      box.min.min(p);
      box.max.max(p);
    }
    if (!box.isEmpty()) box.expandByScalar(reach);
  }
}
