// Surfaces that move: skins of deformable solids and shells, and height fields.
import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, Mesh, MeshStandardMaterial, Vector3, type Box3,
} from 'three';
import { colourOf, groupOf, type Range } from '../colour';
import type { Frame } from '../frames';
import type { Scene } from '../scene';
import { fieldOf, type Layer } from './layer';

const solidColour = 0x9a7350;
const groundColour = 0x8f7a55;

abstract class Skin implements Layer {
  readonly shownAtFirst = true;
  readonly object: Mesh<BufferGeometry, MeshStandardMaterial>;
  size = 0;

  constructor(
    readonly name: string,
    readonly group: string,
    private readonly plain: number,
  ) {
    const material = new MeshStandardMaterial({ roughness: 0.95, metalness: 0, side: DoubleSide, vertexColors: true });
    this.object = new Mesh(new BufferGeometry(), material);
    this.object.frustumCulled = false;
    this.object.receiveShadow = true;
  }

  abstract update(frame: Frame): void;

  // Room for n points; true when it is new.
  protected reserve(points: number): boolean {
    const { geometry } = this.object;
    if (this.size === points && geometry.hasAttribute('position')) return false;
    this.size = points;
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(3 * points), 3));
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(3 * points), 3));
    this.colour(null, { low: 0, high: 1 });
    return true;
  }

  protected get positions() {
    return this.object.geometry.getAttribute('position') as BufferAttribute;
  }

  protected moved() {
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
    if (!this.object.geometry.hasAttribute('position')) return;
    const p = new Vector3();
    for (let i = 0; i < this.size; ++i) {
      p.fromBufferAttribute(this.positions, i);
      if (Number.isFinite(p.x + p.y + p.z)) box.expandByPoint(p);
    }
  }
}

export class Surface extends Skin {
  constructor(private readonly surface: NonNullable<Scene['surfaces']>[number]) {
    super(surface.name, groupOf(surface.position), solidColour);
    if (typeof surface.triangles !== 'string') this.object.geometry.setIndex(surface.triangles.flat());
  }

  override update(frame: Frame) {
    const position = fieldOf(frame, this.surface.position).data;
    this.reserve(position.length / 3);
    (this.positions.array as Float32Array).set(position);
    const { triangles } = this.surface;
    if (typeof triangles === 'string') {
      const corners = fieldOf(frame, triangles).data;
      const there: number[] = [];
      for (let i = 0; i + 2 < corners.length; i += 3)
        if (Math.min(corners[i], corners[i + 1], corners[i + 2]) >= 0) there.push(corners[i], corners[i + 1], corners[i + 2]);
      this.object.geometry.setIndex(there);
    }
    this.moved();
  }
}

export class HeightField extends Skin {
  private columns = 0;

  constructor(private readonly field: NonNullable<Scene['height_fields']>[number]) {
    super(field.name, groupOf(field.height), groundColour);
  }

  // Two triangles per cell, but for those with a corner that is not there.
  private cells(height: ArrayLike<number>, rows: number, columns: number) {
    const index: number[] = [];
    for (let j = 0; j + 1 < rows; ++j)
      for (let i = 0; i + 1 < columns; ++i) {
        const a = j * columns + i;
        if (!Number.isFinite(height[a] + height[a + 1] + height[a + columns] + height[a + columns + 1])) continue;
        index.push(a, a + 1, a + columns + 1, a, a + columns + 1, a + columns);
      }
    return index;
  }

  override update(frame: Frame) {
    const { data, shape } = fieldOf(frame, this.field.height);
    const [rows, columns] = shape;
    if (this.reserve(rows * columns) || columns !== this.columns) {
      this.columns = columns;
      this.object.geometry.setIndex(this.cells(data, rows, columns));
    }
    const { origin, spacing } = this.field;
    for (let k = 0; k < rows * columns; ++k)
      this.positions.setXYZ(
        k,
        origin[0] + (k % columns) * spacing[0],
        origin[1] + Math.floor(k / columns) * spacing[1],
        Number.isFinite(data[k]) ? data[k] : 0,
      );
    this.moved();
  }
}
