// Arrows for vectors (contact forces, joint forces), and the axes of joints.
import {
  BufferAttribute, BufferGeometry, ConeGeometry, CylinderGeometry, Group, InstancedMesh, LineBasicMaterial,
  LineSegments, Matrix4, MeshStandardMaterial, Quaternion, Vector3, type Box3,
} from 'three';
import type { Frame } from '../frames';
import { fieldOf, type Layer } from './layer';

const up = new Vector3(0, 1, 0);

// The longest vector seen so far is drawn this long, as a share of the scene.
const longest = 0.18;

export class Arrows implements Layer {
  readonly group = '';
  readonly object = new Group();
  size = 0;
  unit = '';
  private extent = 1;
  private largest = 0;
  private frame: Frame | null = null;
  private shafts: InstancedMesh | null = null;
  private heads: InstancedMesh | null = null;

  constructor(
    readonly name: string,
    private readonly position: string,
    private readonly vector: string,
    readonly shownAtFirst: boolean,
    private readonly tint: number,
  ) {}

  private reserve(count: number) {
    if (this.shafts && this.shafts.instanceMatrix.count >= count) return;
    const room = Math.max(16, 2 ** Math.ceil(Math.log2(count)));
    this.object.clear();
    const material = new MeshStandardMaterial({ color: this.tint, roughness: 0.5, emissive: this.tint, emissiveIntensity: 0.25 });
    const make = (geometry: BufferGeometry) => {
      const mesh = new InstancedMesh(geometry, material, room);
      mesh.frustumCulled = false;
      mesh.raycast = () => {};
      this.object.add(mesh);
      return mesh;
    };
    this.shafts = make(new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0));
    this.heads = make(new ConeGeometry(1, 1, 14).translate(0, -0.5, 0));
  }

  // m per unit of the vector
  get scale() {
    return this.largest > 0 ? (longest * this.extent) / this.largest : 0;
  }

  update(frame: Frame) {
    this.frame = frame;
    const vector = fieldOf(frame, this.vector);
    this.unit = vector.unit;
    this.size = vector.data.length / 3;
    for (let i = 0; i < this.size; ++i) {
      const length = Math.hypot(vector.data[3 * i], vector.data[3 * i + 1], vector.data[3 * i + 2]);
      if (length > this.largest && Number.isFinite(length)) this.largest = length;
    }
    this.draw();
  }

  fit(extent: number) {
    this.extent = extent;
    if (this.frame) this.draw();
  }

  private draw() {
    const position = fieldOf(this.frame!, this.position).data;
    const vector = fieldOf(this.frame!, this.vector).data;
    this.reserve(Math.max(1, this.size));
    const tail = new Vector3();
    const along = new Vector3();
    const q = new Quaternion();
    const matrix = new Matrix4();
    const thickness = 0.004 * this.extent;
    let shown = 0;
    for (let i = 0; i < this.size; ++i) {
      tail.fromArray(position, 3 * i);
      along.fromArray(vector, 3 * i).multiplyScalar(this.scale);
      const length = along.length();
      if (!Number.isFinite(length + tail.x) || length < 1e-4 * this.extent) continue;
      q.setFromUnitVectors(up, along.clone().divideScalar(length));
      const width = Math.min(thickness, 0.15 * length);
      const head = Math.min(5 * width, 0.6 * length);
      this.shafts!.setMatrixAt(shown, matrix.compose(tail, q, new Vector3(width, length - head, width)));
      tail.add(along);
      this.heads!.setMatrixAt(shown, matrix.compose(tail, q, new Vector3(2.4 * width, head, 2.4 * width)));
      ++shown;
    }
    for (const mesh of [this.shafts!, this.heads!]) {
      mesh.count = shown;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  colour() {}
  extend(_: Box3) {}
}

// Red, green and blue for x, y and z of each joint; a grey line to its other end where that is elsewhere.
export class JointAxes implements Layer {
  readonly name = 'joint axes';
  readonly group = '';
  readonly shownAtFirst = true;
  readonly object: LineSegments<BufferGeometry, LineBasicMaterial>;
  size = 0;
  private extent = 1;
  private frame: Frame | null = null;

  constructor() {
    this.object = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true, depthTest: false }));
    this.object.frustumCulled = false;
    this.object.renderOrder = 1;
    this.object.raycast = () => {};
  }

  private reserve(joints: number) {
    if (this.size === joints && this.object.geometry.hasAttribute('position')) return;
    this.size = joints;
    const colours: number[] = [];
    const axes = [[0.85, 0.12, 0.1], [0.1, 0.6, 0.15], [0.12, 0.3, 0.9], [0.5, 0.5, 0.5]];
    for (let i = 0; i < joints; ++i) for (const c of axes) colours.push(...c, ...c);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(24 * joints), 3));
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(colours), 3));
    this.object.geometry.dispose();
    this.object.geometry = geometry;
  }

  update(frame: Frame) {
    this.frame = frame;
    this.draw();
  }

  fit(extent: number) {
    this.extent = extent;
    if (this.frame) this.draw();
  }

  private draw() {
    const position = fieldOf(this.frame!, 'joints/position').data;
    const orientation = fieldOf(this.frame!, 'joints/orientation').data;
    const end = fieldOf(this.frame!, 'joints/end').data;
    this.reserve(position.length / 3);
    const points = this.object.geometry.getAttribute('position') as BufferAttribute;
    const x = new Vector3();
    const axis = new Vector3();
    const q = new Quaternion();
    const length = 0.035 * this.extent;
    for (let i = 0; i < this.size; ++i) {
      x.fromArray(position, 3 * i);
      q.set(orientation[4 * i + 1], orientation[4 * i + 2], orientation[4 * i + 3], orientation[4 * i]);
      for (let k = 0; k < 3; ++k) {
        axis.set(k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0).applyQuaternion(q).multiplyScalar(length).add(x);
        points.setXYZ(8 * i + 2 * k, x.x, x.y, x.z);
        points.setXYZ(8 * i + 2 * k + 1, axis.x, axis.y, axis.z);
      }
      points.setXYZ(8 * i + 6, x.x, x.y, x.z);
      points.setXYZ(8 * i + 7, end[3 * i], end[3 * i + 1], end[3 * i + 2]);
    }
    points.needsUpdate = true;
  }

  colour() {}
  extend(box: Box3) {
    const p = new Vector3();
    for (const name of ['joints/position', 'joints/end']) {
      const data = this.frame ? fieldOf(this.frame, name).data : [];
      for (let i = 0; i + 2 < data.length; i += 3) {
        p.fromArray(data, i);
        if (Number.isFinite(p.x + p.y + p.z)) box.expandByPoint(p);
      }
    }
  }
}
