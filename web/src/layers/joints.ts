// Joints: red, green and blue for the x, y and z of each, and what spans from the one end of a rod, line or spring to the
// other: a line, for a spring a coil.
import { BufferAttribute, BufferGeometry, LineBasicMaterial, LineSegments, Quaternion, Vector3, type Box3 } from 'three';
import type { Frame } from '../frames';
import type { Scene } from '../scene';
import { fieldOf, isPlace, type Layer } from './layer';

const axisColours = [[0.85, 0.12, 0.1], [0.1, 0.6, 0.15], [0.12, 0.3, 0.9]];
const spanColour = [0.45, 0.45, 0.45];
const spanning = ['distance', 'line', 'spring']; // kinds whose two points are apart and belong together
const turns = 9; // of a spring
const perTurn = 12; // corners

export class JointAxes implements Layer {
  readonly name = 'joint axes';
  readonly group = '';
  readonly shownAtFirst = true;
  readonly object: LineSegments<BufferGeometry, LineBasicMaterial>;
  size = 0;
  private extent = 1;
  private frame: Frame | null = null;

  constructor(private readonly joints: NonNullable<Scene['joints']>) {
    this.object = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, depthTest: false }));
    this.object.frustumCulled = false;
    this.object.renderOrder = 1;
    this.object.raycast = () => {};
  }

  update(frame: Frame) {
    this.frame = frame;
    this.draw();
  }

  fit(extent: number) {
    this.extent = extent;
    if (this.frame) this.draw();
  }

  // Corners of what spans from a to b, end points included.
  private span(kind: string, a: Vector3, b: Vector3): Vector3[] {
    const along = b.clone().sub(a);
    if (kind !== 'spring' || along.lengthSq() === 0) return [a, b];
    const radius = 0.012 * this.extent;
    const u = new Vector3(1, 0, 0).cross(along);
    if (u.lengthSq() < 1e-6 * along.lengthSq()) u.set(0, 1, 0);
    const v = along.clone().cross(u).setLength(radius);
    u.setLength(radius);
    const corners = [a];
    for (let k = 0; k <= perTurn * turns; ++k) {
      const angle = (2 * Math.PI * k) / perTurn;
      const middle = a.clone().addScaledVector(along, 0.1 + (0.8 * k) / (perTurn * turns));
      corners.push(middle.addScaledVector(u, Math.cos(angle)).addScaledVector(v, Math.sin(angle)));
    }
    return [...corners, b];
  }

  private draw() {
    const position = fieldOf(this.frame!, 'joints/position').data;
    const orientation = fieldOf(this.frame!, 'joints/orientation').data;
    const end = fieldOf(this.frame!, 'joints/end').data;
    this.size = position.length / 3;
    const points: number[] = [];
    const colours: number[] = [];
    const line = (from: Vector3, to: Vector3, colour: number[]) => {
      points.push(from.x, from.y, from.z, to.x, to.y, to.z);
      colours.push(...colour, ...colour);
    };
    const q = new Quaternion();
    for (let i = 0; i < this.size; ++i) {
      const x = new Vector3().fromArray(position, 3 * i);
      const other = new Vector3().fromArray(end, 3 * i);
      if (!isPlace(x) || !isPlace(other)) continue;
      q.set(orientation[4 * i + 1], orientation[4 * i + 2], orientation[4 * i + 3], orientation[4 * i]);
      axisColours.forEach((colour, k) =>
        line(x, new Vector3().setComponent(k, 0.035 * this.extent).applyQuaternion(q).add(x), colour),
      );
      const kind = this.joints[i]?.kind ?? '';
      if (!spanning.includes(kind)) continue;
      const corners = this.span(kind, x, other);
      for (let k = 0; k + 1 < corners.length; ++k) line(corners[k], corners[k + 1], spanColour);
    }
    this.object.geometry.dispose();
    this.object.geometry = new BufferGeometry()
      .setAttribute('position', new BufferAttribute(new Float32Array(points), 3))
      .setAttribute('color', new BufferAttribute(new Float32Array(colours), 3));
  }

  colour() {}

  extend(box: Box3) {
    const p = new Vector3();
    for (const name of ['joints/position', 'joints/end']) {
      const data = this.frame ? fieldOf(this.frame, name).data : [];
      for (let i = 0; i + 2 < data.length; i += 3) {
        p.fromArray(data, i);
        if (isPlace(p)) box.expandByPoint(p);
      }
    }
  }
}
