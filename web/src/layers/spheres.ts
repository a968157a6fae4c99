// Very many spheres: each is one square that faces the camera, on which the graphics processor intersects the
// sphere exactly with the ray of every pixel. Positions go to it as they come from the file.
import {
  BufferAttribute, Color, GLSL3, InstancedBufferAttribute, InstancedBufferGeometry, Mesh, RawShaderMaterial,
  Vector3, type Box3,
} from 'three';
import { absentColour, colourTexture, groupOf, type Range } from '../colour';
import type { Frame } from '../frames';
import type { Scene } from '../scene';
import { fieldOf, type Layer } from './layer';

const vertexShader = `
precision highp float;
uniform mat4 modelViewMatrix, projectionMatrix;
uniform float radius;
in vec2 corner;
in vec3 centre;
in float ownRadius;
in float value;
out vec3 vCentre, vPoint;
out float vRadius, vValue;
void main() {
  vCentre = (modelViewMatrix * vec4(centre, 1.0)).xyz;
  vRadius = radius > 0.0 ? radius : ownRadius;
  vValue = value;
  float away = length(vCentre);
  // A square across the line of sight that hides the whole sphere: its outline is a circle of this radius.
  float outline = vRadius * away / sqrt(max(away * away - vRadius * vRadius, 1e-12));
  vec3 sight = vCentre / away;
  vec3 right = normalize(cross(sight, abs(sight.y) < 0.9 ? vec3(0, 1, 0) : vec3(1, 0, 0)));
  vec3 up = cross(right, sight);
  vPoint = vCentre + outline * (corner.x * right + corner.y * up);
  gl_Position = projectionMatrix * vec4(vPoint, 1.0);
  // Not there: outside of what is seen.
  if (!(vRadius > 0.0) || !(abs(centre.x) < 1e30)) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

const fragmentShader = `
precision highp float;
uniform mat4 projectionMatrix;
uniform sampler2D scale;
uniform vec2 range;
uniform vec3 plain, absent, light;
uniform bool coloured;
in vec3 vCentre, vPoint;
in float vRadius, vValue;
out vec4 colour;
float encoded(float c) { return c <= 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1.0 / 2.4) - 0.055; }
void main() {
  vec3 ray = normalize(vPoint);
  float along = dot(ray, vCentre);
  float inside = vRadius * vRadius - dot(vCentre, vCentre) + along * along;
  if (inside < 0.0) discard;
  vec3 point = ray * (along - sqrt(inside));
  vec3 normal = (point - vCentre) / vRadius;
  vec4 clip = projectionMatrix * vec4(point, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
  vec3 base = plain;
  if (coloured) {
    float place = range.y > range.x ? (vValue - range.x) / (range.y - range.x) : 0.5;
    base = vValue == vValue ? texture(scale, vec2(clamp(place, 0.002, 0.998), 0.5)).rgb : absent;
  }
  float lit = 0.5 + 0.55 * max(dot(normal, light), 0.0) + 0.1 * normal.y;
  vec3 shown = base * lit;
  colour = vec4(encoded(shown.r), encoded(shown.g), encoded(shown.b), 1.0);
}`;

export class Spheres implements Layer {
  readonly name: string;
  readonly group: string;
  readonly shownAtFirst = true;
  readonly object: Mesh<InstancedBufferGeometry, RawShaderMaterial>;
  size = 0;
  private positions: ArrayLike<number> = [];

  constructor(private readonly spheres: NonNullable<Scene['spheres']>[number]) {
    this.name = spheres.name;
    this.group = groupOf(spheres.position);
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute('corner', new BufferAttribute(new Float32Array([-1, -1, 1, -1, 1, 1, -1, 1]), 2));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    geometry.instanceCount = 0;
    const material = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader,
      fragmentShader,
      uniforms: {
        radius: { value: typeof spheres.radius === 'number' ? spheres.radius : 0 },
        scale: { value: colourTexture },
        range: { value: [0, 1] },
        plain: { value: new Color(0xb8935f) },
        absent: { value: absentColour },
        light: { value: new Vector3(0.35, 0.75, 0.55).normalize() },
        coloured: { value: false },
      },
    });
    this.object = new Mesh(geometry, material);
    this.object.frustumCulled = false;
  }

  private set(name: string, data: Float32Array, width: number) {
    const { geometry } = this.object;
    const old = geometry.getAttribute(name) as InstancedBufferAttribute | undefined;
    if (old && old.array.length === data.length) {
      old.array = data;
      old.needsUpdate = true;
    } else {
      geometry.setAttribute(name, new InstancedBufferAttribute(data, width));
    }
  }

  update(frame: Frame) {
    const position = fieldOf(frame, this.spheres.position).data;
    this.positions = position;
    this.size = position.length / 3;
    this.set('centre', position as Float32Array, 3);
    const { radius } = this.spheres;
    const radii = typeof radius === 'string' ? (fieldOf(frame, radius).data as Float32Array) : null;
    if (radii || !this.object.geometry.hasAttribute('ownRadius')) this.set('ownRadius', radii ?? new Float32Array(this.size), 1);
    if (!this.object.geometry.hasAttribute('value')) this.set('value', new Float32Array(this.size), 1);
    this.object.geometry.instanceCount = this.size;
  }

  colour(values: Float32Array | null, range: Range) {
    const { uniforms } = this.object.material;
    uniforms.coloured.value = values !== null;
    uniforms.range.value = [range.low, range.high];
    if (values) this.set('value', values, 1);
  }

  extend(box: Box3) {
    const p = new Vector3();
    const reach = typeof this.spheres.radius === 'number' ? this.spheres.radius : 0;
    for (let i = 0; i < this.size; ++i) {
      p.fromArray(this.positions, 3 * i);
      if (!Number.isFinite(p.x + p.y + p.z)) continue;
      box.expandByPoint(p.clone().addScalar(reach));
      box.expandByPoint(p.addScalar(-reach));
    }
  }
}
