// Surfaces that move: skins of deformable solids and shells, and height fields.
import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, Mesh, MeshStandardMaterial, Vector3, type Box3,
} from 'three';
import { colourOf, groupOf, type Range } from '../colour';
import type { Frame } from '../frames';
import type { Scene } from '../scene';
import { fieldOf, isPlace, type Layer } from './layer';

const solidColour = 0x9a7350;
const groundColour = 0x8f7a55;

abstract class Skin implements Layer {
  readonly shownAtFirst = true;
  readonly object: Mesh<BufferGeometry, MeshStandardMaterial>;
  size = 0;
  private triangles: ArrayLike<number> = [];
  private hasHoles = false;

  constructor(
    readonly name: string,
    readonly group: string,
    private readonly plain: number,
  ) {
    const material = new MeshStandardMaterial({ roughness: 0.95, metalness: 0, side: DoubleSide, vertexColors: true });
    this.object = new Mesh(new BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.receiveShadow = true;
    this.object.raycast = () => {};
  }

  abstract update(frame: Frame): void;

  // Room for n points.
  protected reserve(points: number) {
    const { geometry } = this.object;
    if (this.size === points && geometry.hasAttribute('position')) return;
    this.size = points;
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * points), 3));
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(3 * points), 3));
    this.colour(null, { low: 0, high: 1 });
  }

  protected get positions() {
    return this.object.geometry.getAttribute('position') as BufferAttribute;
  }

  // Corners of all triangles, three each; those with a corner that is not there are left out.
  protected setTriangles(triangles: ArrayLike<number>) {
    if (triangles === this.triangles && !this.hasHoles) return;
    this.triangles = triangles;
    const p = new Vector3();
    const there = Array.from({ length: this.size }, (_, i) => isPlace(p.fromBufferAttribute(this.positions, i)));
    this.hasHoles = there.includes(false);
    const corners: number[] = [];
    for (let i = 0; i + 2 < triangles.length; i += 3)
      if (there[triangles[i]] && there[triangles[i + 1]] && there[triangles[i + 2]])
        corners.push(triangles[i], triangles[i + 1], triangles[i + 2]);
    this.object.geometry.setIndex(corners);
  }

  // To be called when the positions are set.
  protected moved(triangles: ArrayLike<number>) {
    const { array } = this.positions;
    const holes = array.some((v) => !(Math.abs(v) < 1e12));
    if (holes) this.hasHoles = true;
    this.setTriangles(triangles);
    if (holes) for (let i = 0; i < array.length; ++i) if (!(Math.abs(array[i]) < 1e12)) array[i] = 0; // drawn by no triangle
    this.positions.needsUpdate = true;
    this.object.geometry.computeVertexNormals();
    this.object.geometry.boundingSphere = this.object.geometry.boundingBox = null;
  }

  colour(values: Float32Array | null, range: Range) {
    const attribute = this.object.geometry.getAttribute('color') as BufferAttribute | undefined;
    if (!attribute) return;
    const colour = new Color(this.plain);
    for (let i = 0; i < this.size; ++i) {
      if (values) colourOf(values[i], range, colour);
      attribute.setXYZ(i, colour.r, colour.g, colour.b);
    }
    attribute.needsUpdate = true;
  }

  extend(box: Box3) {
    const index = this.object.geometry.getIndex();
    const p = new Vector3();
    for (let i = 0; index && i < index.count; ++i) box.expandByPoint(p.fromBufferAttribute(this.positions, index.getX(i)));
  }
}

export class Surface extends Skin {
  private readonly own: number[];

  constructor(private readonly surface: NonNullable<Scene['surfaces']>[number]) {
    super(surface.name, groupOf(surface.position), solidColour);
    this.own = typeof surface.triangles === 'string' ? [] : surface.triangles.flat();
  }

  override update(frame: Frame) {
    const position = fieldOf(frame, this.surface.position).data;
    this.reserve(position.length / 3);
    (this.positions.array as Float32Array).set(position);
    const { triangles } = this.surface;
    this.moved(typeof triangles === 'string' ? fieldOf(frame, triangles).data : this.own);
  }
}

export class HeightField extends Skin {
  private columns = 0;
  private cells: number[] = []; // two triangles each

  constructor(private readonly field: NonNullable<Scene['height_fields']>[number]) {
    super(field.name, groupOf(field.height), groundColour);
  }

  private makeCells(rows: number, columns: number) {
    if (columns === this.columns && this.size === rows * columns) return;
    this.columns = columns;
    this.cells = [];
    for (let j = 0; j + 1 < rows; ++j)
      for (let i = 0; i + 1 < columns; ++i) {
        const a = j * columns + i;
        this.cells.push(a, a + 1, a + columns + 1, a, a + columns + 1, a + columns);
      }
  }

  override update(frame: Frame) {
    const { data, shape } = fieldOf(frame, this.field.height);
    const [rows, columns] = shape;
    this.makeCells(rows, columns);
    this.reserve(rows * columns);
    const { origin, spacing } = this.field;
    for (let k = 0; k < rows * columns; ++k)
      this.positions.setXYZ(k, origin[0] + (k % columns) * spacing[0], origin[1] + Math.floor(k / columns) * spacing[1], data[k]);
    this.moved(this.cells);
  }
}
