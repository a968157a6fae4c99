// Arrows for vectors: contact forces, joint forces.
import {
  ConeGeometry, CylinderGeometry, Group, InstancedMesh, Matrix4, MeshStandardMaterial, Quaternion, Vector3, type Box3,
  type BufferGeometry,
} from 'three';
import type { Frame } from '../frames';
import { fieldOf, isPlace, type Layer } from './layer';

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
      if (!isPlace(tail) || !isPlace(along) || length < 1e-4 * this.extent) continue;
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
