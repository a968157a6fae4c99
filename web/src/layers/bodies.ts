// Rigid bodies: one instanced mesh per kind of shape, one mesh per triangle mesh.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CanvasTexture, Color, CylinderGeometry, DoubleSide, Group, InstancedMesh,
  Matrix4, MeshStandardMaterial, OctahedronGeometry, Quaternion, SphereGeometry, SRGBColorSpace, Vector3, type Box3,
  type Intersection,
} from 'three';
import { colourOf, type Range } from '../colour';
import type { Frame } from '../frames';
import type { Body, Part, Scene, Shape } from '../scene';
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

function scaleOf(shape: Shape): Vector3 {
  switch (shape.kind) {
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

// From the origin of the body to the farthest point.
function reachOf(part: Part): number {
  const away = Math.hypot(...(part.at ?? [0, 0, 0]));
  switch (part.kind) {
    case 'sphere':
      return away + part.radius;
    case 'box':
      return away + Math.hypot(...part.size) / 2;
    case 'cylinder':
      return away + Math.hypot(part.radius, part.length / 2);
    case 'mesh':
      return away + Math.sqrt(part.points.reduce((most, p) => Math.max(most, p[0] ** 2 + p[1] ** 2 + p[2] ** 2), 0));
    default:
      return 0;
  }
}

// One thing to draw: a part of a body, or the point that stands for a body without any.
interface Piece {
  body: number;
  part: Part | null;
  onBody: Matrix4; // from the drawn unit shape to the body
}

function piecesOf(bodies: Body[]): Piece[] {
  return bodies.flatMap((body, i): Piece[] => {
    const given: Part[] = body.shapes ?? (body.shape ? [body.shape] : []);
    const parts = given.filter((part) => part.kind in makers || part.kind === 'mesh');
    if (parts.length === 0) return [{ body: i, part: null, onBody: new Matrix4() }];
    return parts.map((part) => {
      const [w, x, y, z] = part.orientation ?? [1, 0, 0, 0];
      const at = new Vector3(...(part.at ?? [0, 0, 0]));
      return { body: i, part, onBody: new Matrix4().compose(at, new Quaternion(x, y, z, w).normalize(), scaleOf(part)) };
    });
  });
}

export class Bodies implements Layer {
  readonly name = 'bodies';
  readonly group = 'bodies';
  readonly shownAtFirst = true;
  readonly object = new Group();
  size = 0;
  private readonly meshes: { mesh: InstancedMesh; pieces: Piece[] }[] = [];
  private readonly reach: number[];
  private readonly isGround: boolean[];
  private positions: ArrayLike<number> = [];
  private pointSize = 0.01;

  constructor(private readonly bodies: Scene['bodies']) {
    const pieces = piecesOf(bodies);
    this.reach = bodies.map(() => 0);
    const grounds = bodies.map(() => true);
    for (const { body, part } of pieces) grounds[body] &&= part?.ground ?? false;
    this.isGround = grounds.every(Boolean) ? grounds.map(() => false) : grounds; // of nothing else, grounds are seen
    const members = new Map<string, Piece[]>();
    pieces.forEach((piece, i) => {
      if (piece.part) this.reach[piece.body] = Math.max(this.reach[piece.body], reachOf(piece.part));
      const kind = piece.part?.kind ?? 'point';
      const glass = bodies[piece.body].glass ?? false;
      const key = kind === 'mesh' ? `mesh ${i}` : glass ? `${kind} glass` : kind;
      if (members.has(key)) members.get(key)!.push(piece);
      else members.set(key, [piece]);
    });
    const texture = stripes();
    for (const alike of members.values()) {
      const part = alike[0].part;
      const { geometry, striped } =
        part?.kind === 'mesh' ? { geometry: meshGeometry(part), striped: false } : makers[part?.kind ?? 'point']();
      const material = new MeshStandardMaterial({ roughness: 0.6, metalness: 0.05, map: striped ? texture : null });
      if (part?.kind === 'mesh') material.side = DoubleSide; // open ones are seen from below too
      const glass = bodies[alike[0].body].glass ?? false;
      if (glass) Object.assign(material, { transparent: true, opacity: 0.18, depthWrite: false });
      const mesh = new InstancedMesh(geometry, material, alike.length);
      mesh.castShadow = mesh.receiveShadow = !glass;
      mesh.frustumCulled = false;
      this.meshes.push({ mesh, pieces: alike });
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
    for (const { mesh, pieces } of this.meshes) {
      pieces.forEach(({ body, part, onBody }, instance) => {
        x.fromArray(position, 3 * body);
        q.set(orientation[4 * body + 1], orientation[4 * body + 2], orientation[4 * body + 3], orientation[4 * body]);
        scale.setScalar(part ? 1 : this.pointSize);
        if (isPlace(x) && Number.isFinite(q.x + q.y + q.z + q.w)) matrix.compose(x, q.normalize(), scale).multiply(onBody);
        else matrix.makeScale(0, 0, 0);
        mesh.setMatrixAt(instance, matrix);
      });
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null; // picking computes it anew
    }
  }

  colour(values: Float32Array | null, range: Range) {
    const colour = new Color();
    for (const { mesh, pieces } of this.meshes) {
      pieces.forEach(({ body }, instance) => {
        if (values) colourOf(values[body], range, colour);
        else colour.set(this.bodies[body].fixed ? fixedColour : palette[body % palette.length]);
        mesh.setColorAt(instance, colour);
      });
      mesh.instanceColor!.needsUpdate = true;
    }
  }

  extend(box: Box3) {
    const low = new Vector3();
    this.bodies.forEach((_, i) => {
      if (this.isGround[i]) return;
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
    return found && hit.instanceId !== undefined ? found.pieces[hit.instanceId].body : null;
  }

  positionOf(body: number): Vector3 {
    return new Vector3().fromArray(this.positions, 3 * body);
  }
}
