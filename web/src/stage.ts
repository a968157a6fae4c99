// The three-dimensional picture: camera, light, ground grid, layers. z points up. Draws only when something changed.
import {
  Box3, BufferAttribute, BufferGeometry, Color, DirectionalLight, HemisphereLight, LineBasicMaterial, LineSegments,
  Mesh, PCFSoftShadowMap, PerspectiveCamera, PlaneGeometry, Raycaster, Scene, ShadowMaterial, Vector2, Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { onTheme } from './dom';
import type { Frame } from './frames';
import { Bodies } from './layers/bodies';
import type { Layer } from './layers/layer';

const directions: Record<string, [number, number, number]> = {
  iso: [1, -1.5, 0.75],
  front: [0, -1, 0.02],
  side: [1, 0, 0.02],
  top: [0, -0.001, 1],
};
export const viewNames = Object.keys(directions);

// 1, 2 or 5 times a power of ten, at least x.
function roundUp(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  return [1, 2, 5, 10].map((f) => f * power).find((v) => v >= x * 0.999)!;
}

function drawsInSoftware(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  const info = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  gl?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class Stage {
  readonly renderer: WebGLRenderer;
  readonly camera = new PerspectiveCamera(40, 1, 0.01, 1000);
  readonly controls: OrbitControls;
  layers: Layer[] = [];
  onCamera = () => {};
  gridStep = 1; // m
  touched = false; // the camera is where the user put it
  private readonly scene = new Scene();
  private readonly sun = new DirectionalLight(0xffffff, 2.2);
  private readonly grid = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ transparent: true, opacity: 0.35 }));
  private readonly shade = new Mesh(new PlaneGeometry(1, 1), new ShadowMaterial({ opacity: 0.25 }));
  private extent = 1;
  private scheduled = false;
  private followed: { body: number; at: Vector3 } | null = null;

  // A machine that draws without graphics processor leaves out shadows and smooth edges, unless the picture is to be kept.
  constructor(
    readonly container: HTMLElement,
    best = !drawsInSoftware(),
  ) {
    try {
      this.renderer = new WebGLRenderer({ antialias: best });
    } catch {
      throw new Error('this browser cannot draw in three dimensions (WebGL 2 is missing or switched off)');
    }
    this.renderer.setPixelRatio(Math.min(2, window.devicePixelRatio));
    this.renderer.shadowMap.enabled = best;
    this.renderer.shadowMap.type = PCFSoftShadowMap;
    container.append(this.renderer.domElement);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.addEventListener('change', () => {
      this.redraw();
      this.onCamera();
    });
    this.controls.addEventListener('start', () => (this.touched = true));
    // The controls take very small moves for none at all.
    for (const kind of ['pointermove', 'wheel'] as const) this.renderer.domElement.addEventListener(kind, () => this.redraw());
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.shade.receiveShadow = true;
    this.shade.raycast = this.grid.raycast = () => {};
    this.scene.add(new HemisphereLight(0xf2f6ff, 0x8a7a60, 1.4), this.sun, this.sun.target, this.grid, this.shade);
    new ResizeObserver(() => this.resize()).observe(container);
    onTheme(() => this.readTheme());
    this.readTheme();
    this.resize();
  }

  private readTheme() {
    const style = getComputedStyle(this.container);
    this.scene.background = new Color(style.getPropertyValue('--sky').trim() || '#e8ecf1');
    (this.grid.material as LineBasicMaterial).color.set(style.getPropertyValue('--muted').trim() || '#667');
    this.draw();
  }

  private resize() {
    const { clientWidth: w, clientHeight: h } = this.container;
    if (w === 0 || h === 0) return;
    this.renderer.setSize(w, h);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    this.draw(); // at once: a canvas of another size is empty
  }

  setLayers(layers: Layer[]) {
    for (const layer of this.layers) this.scene.remove(layer.object);
    this.layers = layers;
    for (const layer of layers) {
      layer.object.visible = layer.shownAtFirst;
      this.scene.add(layer.object);
    }
  }

  show(frame: Frame) {
    for (const layer of this.layers) layer.update(frame);
    if (this.followed && this.bodies) {
      const now = this.bodies.positionOf(this.followed.body);
      const move = now.clone().sub(this.followed.at);
      if (Number.isFinite(move.lengthSq())) {
        this.camera.position.add(move);
        this.controls.target.add(move);
        this.followed.at = now;
        this.controls.update();
      }
    }
    this.redraw();
  }

  get bodies(): Bodies | undefined {
    return this.layers.find((layer): layer is Bodies => layer instanceof Bodies);
  }

  private bounds(): Box3 {
    const box = new Box3();
    for (const layer of this.layers) layer.extend(box);
    return box.isEmpty() ? new Box3(new Vector3(-1, -1, -1), new Vector3(1, 1, 1)) : box;
  }

  // Sizes grid, light and arrows by what is there in some frames; the last of them stays.
  measure(frames: Frame[]): Box3 {
    const boxes = frames.map((frame) => {
      this.show(frame);
      return this.bounds();
    });
    // A run that flew apart at its end should still be seen before.
    const sizes = boxes.map((b) => b.getSize(new Vector3()).length()).sort((a, b) => a - b);
    const usual = sizes[Math.floor((sizes.length - 1) / 2)];
    const box = new Box3();
    for (const b of boxes) if (usual === 0 || b.getSize(new Vector3()).length() <= 100 * usual) box.union(b);
    const size = box.getSize(new Vector3());
    const centre = box.getCenter(new Vector3());
    this.extent = size.length() || 1; // m; a single point has no size
    for (const layer of this.layers) layer.fit?.(this.extent);
    this.sun.shadow.normalBias = 2e-3 * this.extent;
    const floor = box.min.z >= -0.02 * this.extent ? 0 : box.min.z;
    this.drawGrid(centre, floor);
    this.sun.target.position.copy(centre);
    this.sun.position.copy(centre).add(new Vector3(0.4, -0.55, 1).multiplyScalar(this.extent));
    const shadow = this.sun.shadow.camera;
    shadow.left = shadow.bottom = -0.8 * this.extent;
    shadow.right = shadow.top = 0.8 * this.extent;
    shadow.near = 0.01 * this.extent;
    shadow.far = 3 * this.extent;
    shadow.updateProjectionMatrix();
    this.redraw();
    return box;
  }

  private drawGrid(centre: Vector3, floor: number) {
    const step = (this.gridStep = roundUp(this.extent / 12));
    const cells = 12;
    const x0 = (Math.round(centre.x / step) - cells / 2) * step;
    const y0 = (Math.round(centre.y / step) - cells / 2) * step;
    const points: number[] = [];
    for (let i = 0; i <= cells; ++i) {
      points.push(x0 + i * step, y0, floor, x0 + i * step, y0 + cells * step, floor);
      points.push(x0, y0 + i * step, floor, x0 + cells * step, y0 + i * step, floor);
    }
    this.grid.geometry.dispose();
    this.grid.geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(points), 3));
    this.grid.frustumCulled = false;
    this.shade.position.set(x0 + (cells / 2) * step, y0 + (cells / 2) * step, floor - 1e-3 * this.extent);
    this.shade.scale.setScalar(cells * step);
  }

  set gridShown(shown: boolean) {
    this.grid.visible = this.shade.visible = shown;
    this.redraw();
  }

  // Looks at a box (everything, by default) from a named direction or the present one.
  fitCamera(view?: string, box = this.bounds()) {
    const centre = box.getCenter(new Vector3());
    const direction = view
      ? new Vector3(...directions[view])
      : this.camera.position.clone().sub(this.controls.target);
    direction.normalize();
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).add(direction.multiplyScalar(this.distanceFor(box, centre, direction)));
    this.controls.update();
    this.redraw();
  }

  // From how far away the corners of a box fill nine tenths of the picture.
  private distanceFor(box: Box3, centre: Vector3, direction: Vector3): number {
    const right = new Vector3().crossVectors(this.camera.up, direction).normalize();
    const up = new Vector3().crossVectors(direction, right);
    const tangent = 0.9 * Math.tan((this.camera.fov * Math.PI) / 360);
    let distance = 0;
    for (let corner = 0; corner < 8; ++corner) {
      const { min, max } = box;
      const p = new Vector3(corner & 1 ? max.x : min.x, corner & 2 ? max.y : min.y, corner & 4 ? max.z : min.z).sub(centre);
      const across = Math.max(Math.abs(p.dot(right)) / this.camera.aspect, Math.abs(p.dot(up)));
      distance = Math.max(distance, p.dot(direction) + across / tangent);
    }
    return distance || this.extent;
  }

  // "px,py,pz,tx,ty,tz", or the name of a direction.
  set view(text: string) {
    this.touched = true;
    if (viewNames.includes(text)) {
      this.fitCamera(text);
      return;
    }
    const numbers = text.split(',').map(Number);
    if (numbers.length !== 6 || !numbers.every(Number.isFinite))
      throw new Error(`camera '${text}': six numbers px,py,pz,tx,ty,tz or one of ${viewNames.join(', ')}`);
    this.camera.position.fromArray(numbers);
    this.controls.target.fromArray(numbers, 3);
    this.controls.update();
    this.redraw();
  }
  get view(): string {
    const digits = Math.min(15, Math.max(0, Math.ceil(5 - Math.log10(this.extent)))); // behind the point
    return [...this.camera.position.toArray(), ...this.controls.target.toArray()].map((v) => +v.toFixed(digits)).join(',');
  }

  follow(body: number | null) {
    this.followed = body === null || !this.bodies ? null : { body, at: this.bodies.positionOf(body) };
    if (this.followed) {
      const move = this.followed.at.clone().sub(this.controls.target);
      this.camera.position.add(move);
      this.controls.target.add(move);
      this.controls.update();
      this.redraw();
    }
  }

  // The body under a point of the screen.
  pick(event: { clientX: number; clientY: number }): number | null {
    if (!this.bodies?.object.visible) return null;
    const frame = this.renderer.domElement.getBoundingClientRect();
    const at = new Vector2(
      ((event.clientX - frame.left) / frame.width) * 2 - 1,
      1 - ((event.clientY - frame.top) / frame.height) * 2,
    );
    const ray = new Raycaster();
    ray.setFromCamera(at, this.camera);
    const hit = ray.intersectObject(this.bodies.object, true)[0];
    return hit ? this.bodies.bodyAt(hit) : null;
  }

  redraw() {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      this.draw();
    });
  }

  draw() {
    const away = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(1e-4 * this.extent, 0.005 * away);
    this.camera.far = 20 * this.extent + 4 * away;
    this.camera.updateProjectionMatrix();
    const metre = this.renderer.domElement.height / (2 * away * Math.tan((this.camera.fov * Math.PI) / 360));
    for (const layer of this.layers) layer.lookFrom?.(metre);
    this.renderer.render(this.scene, this.camera);
  }
}
