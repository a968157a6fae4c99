// Rods between two points each, as thick as a number says: chains of forces through soil.
import { CylinderGeometry, InstancedMesh, Matrix4, MeshStandardMaterial, Group, Quaternion, Vector3, type Box3 } from 'three';
import type { Frame } from '../frames';
import type { Scene } from '../scene';
import { fieldOf, isPlace, type Layer } from './layer';

const up = new Vector3(0, 1, 0);

// Radius of the thickest rod seen so far, as a share of the scene.
const thickest = 0.007;

export class Rods implements Layer {
  readonly name: string;
  readonly group = '';
  readonly shownAtFirst = false;
  readonly object = new Group();
  size = 0;
  private extent = 1;
  private largest = 0;
  private frame: Frame | null = null;
  private mesh: InstancedMesh | null = null;

  constructor(private readonly rods: NonNullable<Scene['rods']>[number], private readonly tint: number) {
    this.name = rods.name;
  }

  private reserve(count: number) {
    if (this.mesh && this.mesh.instanceMatrix.count >= count) return;
    const material = new MeshStandardMaterial({ color: this.tint, roughness: 0.5, emissive: this.tint, emissiveIntensity: 0.25 });
    this.object.clear();
    this.mesh = new InstancedMesh(new CylinderGeometry(1, 1, 1, 8), material, Math.max(16, 2 ** Math.ceil(Math.log2(count))));
    this.mesh.frustumCulled = false;
    this.mesh.raycast = () => {};
    this.object.add(this.mesh);
  }

  update(frame: Frame) {
    this.frame = frame;
    const width = fieldOf(frame, this.rods.width).data;
    this.size = width.length;
    for (const w of width) if (w > this.largest && Number.isFinite(w)) this.largest = w;
    this.draw();
  }

  fit(extent: number) {
    this.extent = extent;
    if (this.frame) this.draw();
  }

  private draw() {
    const ends = fieldOf(this.frame!, this.rods.ends).data;
    const width = fieldOf(this.frame!, this.rods.width).data;
    this.reserve(Math.max(1, this.size));
    const from = new Vector3();
    const along = new Vector3();
    const q = new Quaternion();
    const matrix = new Matrix4();
    const scale = this.largest > 0 ? (thickest * this.extent) / this.largest : 0;
    let shown = 0;
    for (let i = 0; i < this.size; ++i) {
      from.fromArray(ends, 6 * i);
      along.fromArray(ends, 6 * i + 3).sub(from);
      const length = along.length();
      if (!isPlace(from) || !isPlace(along) || !(length > 0) || !(width[i] > 0)) continue;
      q.setFromUnitVectors(up, along.clone().divideScalar(length));
      const middle = from.clone().addScaledVector(along, 0.5);
      this.mesh!.setMatrixAt(shown++, matrix.compose(middle, q, new Vector3(scale * width[i], length, scale * width[i])));
    }
    this.mesh!.count = shown;
    this.mesh!.instanceMatrix.needsUpdate = true;
  }

  colour() {}
  extend(_: Box3) {}
}
