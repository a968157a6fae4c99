// Very many spheres: each is one triangle across the line of sight, on which the graphics processor intersects the sphere
// with the ray of every pixel. Triangles are made from nothing but their number; centres and radii lie in a texture. (One
// instance per sphere would do the same, but software rendering takes 20 us for each.) Ellipsoids are drawn alike: the ray
// is turned and stretched so that they are unit spheres.
import {
  BufferGeometry, Color, DataTexture, FloatType, GLSL3, Mesh, RawShaderMaterial, RedFormat, RGBAFormat, Vector3, Vector4,
  type Box3,
} from 'three';
import { absentColour, colourTexture, groupOf, type Range } from '../colour';
import type { Frame } from '../frames';
import type { Spheres as Description } from '../scene';
import { fieldOf, isPlace, type Layer } from './layer';

const vertexShader = `
precision highp float;
precision highp sampler2D;
uniform mat4 modelViewMatrix, projectionMatrix;
uniform sampler2D spheres, values;
flat out vec3 vCentre;
flat out float vRadius, vValue;
out vec3 vPoint;
#ifdef ELLIPSOIDS
uniform sampler2D orientations;
uniform vec3 axes;
flat out mat3 vAxes; // as seen, each over the length of its semi-axis
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
#endif
const vec2 corners[3] = vec2[3](vec2(0.0, 2.0), vec2(-1.7320509, -1.0), vec2(1.7320509, -1.0)); // about the unit circle
void main() {
  int number = gl_VertexID / 3, width = textureSize(spheres, 0).x;
  ivec2 place = ivec2(number % width, number / width);
  vec4 sphere = texelFetch(spheres, place, 0);
  vValue = texelFetch(values, place, 0).r;
  vCentre = (modelViewMatrix * vec4(sphere.xyz, 1.0)).xyz;
  vRadius = sphere.w;
#ifdef ELLIPSOIDS
  vec4 q = texelFetch(orientations, place, 0);
  vAxes = mat3(modelViewMatrix) * mat3(turned(q, vec3(1, 0, 0)) / axes.x, turned(q, vec3(0, 1, 0)) / axes.y,
                                       turned(q, vec3(0, 0, 1)) / axes.z) / vRadius;
  vRadius *= max(axes.x, max(axes.y, axes.z));
#endif
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
#ifdef ELLIPSOIDS
flat in mat3 vAxes;
#endif
out vec4 colour;
float encoded(float c) { return c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1.0 / 2.4) - 0.055; }
void main() {
#ifdef ELLIPSOIDS
  vec3 start = (vPoint - vCentre) * vAxes, ray = vPoint * vAxes; // where it is a unit sphere
  float square = dot(ray, ray), along = dot(ray, start);
  float inside = along * along - square * (dot(start, start) - 1.0);
  if (inside < 0.0) discard;
  float further = -(along + sqrt(inside)) / square;
  vec3 point = vPoint + further * vPoint;
  vec3 normal = normalize(vAxes * (start + further * ray));
#else
  vec3 ray = normalize(vPoint);
  float along = dot(ray, vCentre);
  float inside = vRadius * vRadius - dot(vCentre, vCentre) + along * along;
  if (inside < 0.0) discard;
  vec3 point = ray * (along - sqrt(inside));
  vec3 normal = (point - vCentre) / vRadius;
#endif
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
  private meanReach = 0;
  private readonly uniforms = {
    spheres: { value: floatTexture(0, RGBAFormat) },
    orientations: { value: floatTexture(0, RGBAFormat) },
    axes: { value: new Vector3(1, 1, 1) },
    values: { value: floatTexture(0, RedFormat) },
    scale: { value: colourTexture },
    range: { value: [0, 1] },
    plain: { value: new Color(0xb8935f) },
    absent: { value: absentColour },
    light: { value: new Vector3(0.35, 0.75, 0.55).normalize() },
    coloured: { value: false },
  };
  private readonly exact: RawShaderMaterial;
  private readonly quick: RawShaderMaterial;

  constructor(private readonly spheres: Description) {
    const shape: Record<string, number> = spheres.orientation ? { ELLIPSOIDS: 1 } : {};
    if (spheres.orientation && spheres.axes) this.uniforms.axes.value.fromArray(spheres.axes);
    this.exact = this.material({ ...shape, EXACT_DEPTH: 1 });
    this.quick = this.material(shape);
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
    const { spheres, orientations, values } = this.uniforms;
    for (const texture of [spheres, orientations, values]) texture.value.dispose();
    spheres.value = floatTexture(size, RGBAFormat);
    if (this.spheres.orientation) orientations.value = floatTexture(size, RGBAFormat);
    values.value = floatTexture(size, RedFormat);
    this.object.geometry.setDrawRange(0, 3 * size);
  }

  update(frame: Frame) {
    const position = fieldOf(frame, this.spheres.position).data;
    const { radius, orientation } = this.spheres;
    const radii = typeof radius === 'string' ? fieldOf(frame, radius).data : null;
    const turns = orientation ? fieldOf(frame, orientation).data : null; // w, x, y, z
    this.positions = position;
    this.reserve(position.length / 3);
    const texture = this.uniforms.spheres.value;
    const turnTexture = this.uniforms.orientations.value;
    const data = texture.image.data as Float32Array;
    const turnData = turnTexture.image.data as Float32Array;
    const p = new Vector3();
    const q = new Vector4();
    let sum = 0;
    for (let i = 0; i < this.size; ++i) {
      const r = radii ? radii[i] : (radius as number);
      let there = isPlace(p.fromArray(position, 3 * i));
      if (turns) {
        q.set(turns[4 * i + 1], turns[4 * i + 2], turns[4 * i + 3], turns[4 * i]);
        there &&= q.length() > 0;
        q.normalize().toArray(turnData, 4 * i);
      }
      data[4 * i] = p.x;
      data[4 * i + 1] = p.y;
      data[4 * i + 2] = p.z;
      data[4 * i + 3] = there ? r : 0;
      sum += there ? r : 0;
    }
    texture.needsUpdate = true;
    if (turns) turnTexture.needsUpdate = true;
    this.meanReach = this.size ? (sum / this.size) * Math.max(...this.uniforms.axes.value) : 0;
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
    this.object.material = this.meanReach * pixelsPerMetre > exactFrom ? this.exact : this.quick;
  }

  extend(box: Box3) {
    const p = new Vector3();
    for (let i = 0; i < this.size; ++i) {
      p.fromArray(this.positions, 3 * i);
      if (!isPlace(p)) continue;
      box.min.min(p);
      box.max.max(p);
    }
    if (!box.isEmpty()) box.expandByScalar(this.meanReach);
  }
}
