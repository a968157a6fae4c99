// Rigid bodies: one instanced mesh per kind of shape, one mesh per triangle mesh.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CanvasTexture, Color, CylinderGeometry, Group, InstancedMesh,
  Matrix4, MeshStandardMaterial, OctahedronGeometry, Quaternion, SphereGeometry, SRGBColorSpace, Vector3, type Box3,
  type Intersection,
} from 'three';
import { colourOf, type Range } from '../colour';
import type { Frame } from '../frames';
import type { Scene, Shape } from '../scene';
import { fieldOf, isPlace, type Layer } from './layer';

const palette = [0x3b7dbf, 0xe08a3c, 0x4aa564, 0xc75d8e, 0x8a6fc2, 0xc9a227, 0x4bb0b8, 0xb0574a];
const fixedColour = 0x8d9299;

// Two tones, so that turning can be seen on round things.
function stripes(): CanvasTexture {
  const canvas = document.createElement('canvas');
  canvas.width = 8;
  canvas.height = 4;
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, 8, 4);
  context.fillStyle = '#cfcfcf';
  for (let i = 0; i < 8; i += 2) context.fillRect(i, 0, 1, 4);
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  texture.magFilter = 1003; // nearest
  return texture;
}

interface Kind {
  geometry: BufferGeometry;
  striped: boolean;
}

function meshGeometry(shape: Extract<Shape, { kind: 'mesh' }>): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Float32Array(shape.points.flat()), 3));
  geometry.setIndex(shape.triangles.flat());
  const flat = geometry.toNonIndexed(); // edges of machines are sharp
  flat.computeVertexNormals();
  return flat;
}

const makers: Record<string, () => Kind> = {
  sphere: () => ({ geometry: new SphereGeometry(1, 32, 20).rotateX(Math.PI / 2), striped: true }),
  box: () => ({ geometry: new BoxGeometry(1, 1, 1), striped: false }),
  cylinder: () => ({ geometry: new CylinderGeometry(1, 1, 1, 40).rotateX(Math.PI / 2), striped: true }),
  point: () => ({ geometry: new OctahedronGeometry(1, 1), striped: false }),
};

function scaleOf(shape: Shape | null): Vector3 {
  switch (shape?.kind) {
    case 'sphere':
      return new Vector3(shape.radius, shape.radius, shape.radius);
    case 'box':
      return new Vector3(...shape.size);
    case 'cylinder':
      return new Vector3(shape.radius, shape.radius, shape.length);
    default:
      return new Vector3(1, 1, 1);
  }
}

// Half the diagonal of a body's own box.
function reachOf(shape: Shape | null): number {
  switch (shape?.kind) {
    case 'sphere':
      return shape.radius;
    case 'box':
      return Math.hypot(...shape.size) / 2;
    case 'cylinder':
      return Math.hypot(shape.radius, shape.length / 2);
    case 'mesh':
      return Math.sqrt(shape.points.reduce((most, p) => Math.max(most, p[0] ** 2 + p[1] ** 2 + p[2] ** 2), 0));
    default:
      return 0;
  }
}

export class Bodies implements Layer {
  readonly name = 'bodies';
  readonly group = 'bodies';
  readonly shownAtFirst = true;
  readonly object = new Group();
  size = 0;
  private readonly meshes: { mesh: InstancedMesh; bodies: number[] }[] = [];
  private readonly scales: Vector3[];
  private readonly reach: number[];
  private readonly isPoint: boolean[];
  private readonly place = new Map<number, { mesh: InstancedMesh; instance: number }>();
  private positions: ArrayLike<number> = [];
  private pointSize = 0.01;

  constructor(private readonly bodies: Scene['bodies']) {
    this.scales = bodies.map((b) => scaleOf(b.shape));
    this.reach = bodies.map((b) => reachOf(b.shape));
    const kindOf = (shape: Shape | null) => (shape && (shape.kind in makers || shape.kind === 'mesh') ? shape.kind : 'point');
    this.isPoint = bodies.map((b) => kindOf(b.shape) === 'point');
    const members = new Map<string, number[]>();
    bodies.forEach((body, i) => {
      const kind = kindOf(body.shape);
      const key = kind === 'mesh' ? `mesh ${i}` : kind;
      if (members.has(key)) members.get(key)!.push(i);
      else members.set(key, [i]);
    });
    const texture = stripes();
    for (const [key, indices] of members) {
      const shape = bodies[indices[0]].shape;
      const { geometry, striped } =
        shape?.kind === 'mesh' ? { geometry: meshGeometry(shape), striped: false } : makers[key]();
      const material = new MeshStandardMaterial({ roughness: 0.6, metalness: 0.05, map: striped ? texture : null });
      const mesh = new InstancedMesh(geometry, material, indices.length);
      mesh.castShadow = mesh.receiveShadow = true;
      mesh.frustumCulled = false;
      this.meshes.push({ mesh, bodies: indices });
      indices.forEach((body, instance) => this.place.set(body, { mesh, instance }));
      this.object.add(mesh);
    }
    this.colour(null, { low: 0, high: 1 });
  }

  update(frame: Frame) {
    const position = fieldOf(frame, 'bodies/position').data;
    const orientation = fieldOf(frame, 'bodies/orientation').data;
    if (position.length !== 3 * this.bodies.length)
      throw new Error(`the frame has ${position.length / 3} bodies, scene.json describes ${this.bodies.length}`);
    this.size = this.bodies.length;
    this.positions = position;
    const matrix = new Matrix4();
    const x = new Vector3();
    const q = new Quaternion();
    const scale = new Vector3();
    for (const { mesh, bodies } of this.meshes) {
      bodies.forEach((body, instance) => {
        x.fromArray(position, 3 * body);
        q.set(orientation[4 * body + 1], orientation[4 * body + 2], orientation[4 * body + 3], orientation[4 * body]);
        scale.copy(this.scales[body]);
        if (this.isPoint[body]) scale.setScalar(this.pointSize);
        if (isPlace(x) && Number.isFinite(q.x + q.y + q.z + q.w)) matrix.compose(x, q.normalize(), scale);
        else matrix.makeScale(0, 0, 0);
        mesh.setMatrixAt(instance, matrix);
      });
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null; // picking computes it anew
    }
  }

  colour(values: Float32Array | null, range: Range) {
    const colour = new Color();
    this.bodies.forEach((body, i) => {
      if (values) colourOf(values[i], range, colour);
      else colour.set(body.fixed ? fixedColour : palette[i % palette.length]);
      const { mesh, instance } = this.place.get(i)!;
      mesh.setColorAt(instance, colour);
    });
    for (const { mesh } of this.meshes) mesh.instanceColor!.needsUpdate = true;
  }

  extend(box: Box3) {
    const low = new Vector3();
    this.bodies.forEach((_, i) => {
      low.fromArray(this.positions, 3 * i);
      if (!isPlace(low)) return;
      box.expandByPoint(low.clone().addScalar(this.reach[i]));
      box.expandByPoint(low.clone().addScalar(-this.reach[i]));
    });
  }

  fit(extent: number) {
    this.pointSize = 0.008 * extent;
  }

  bodyAt(hit: Intersection): number | null {
    const found = this.meshes.find(({ mesh }) => mesh === hit.object);
    return found && hit.instanceId !== undefined ? found.bodies[hit.instanceId] : null;
  }

  positionOf(body: number): Vector3 {
    return new Vector3().fromArray(this.positions, 3 * body);
  }
}
