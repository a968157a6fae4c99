// A result that plays: the stage, and under it the controls for time, speed, colour, camera and layers.
import { colourFields, rangeOf, valuesOf, type ColourField, type Range } from './colour';
import { make, messageOf, option, plain } from './dom';
import { indexAt, type Frame, type FrameSource } from './frames';
import { makeLayers } from './layers';
import { Arrows } from './layers/arrows';
import { Legend } from './legend';
import type { Scene } from './scene';
import { Stage, viewNames } from './stage';

const speeds = [-3, -2, -1, 0, 1, 2].flatMap((e) => [1, 2, 5].map((f) => +(f * 10 ** e).toPrecision(1)));
const ahead = 4; // frames fetched before they are needed
const spread = 6; // frames that are looked at to see how far things move

export class Player {
  readonly stage: Stage;
  frame: Frame | null = null;
  playing = false;
  speed = 1;
  field = ''; // id of a colour field
  private chosen = false; // the field of the scene has been taken, or there is none
  range: Range | null = null; // of the colours, as the user fixed it
  seen: Range | null = null; // values of the field in the frames shown so far
  followed = ''; // name of a body
  onChange = () => {}; // anything worth keeping in the address
  onSeek = () => {}; // the user chose a time, or plays
  onFrame = (_: Frame) => {};
  onError = (_: string) => {};

  private readonly legend = new Legend();
  private readonly info = make('div', { className: 'info', id: 'info', hidden: true });
  private readonly scaleNote = make('div', { className: 'scale-note' });
  private readonly playButton = make('button', { type: 'button', id: 'play', title: 'Play or pause (space)' }, '▶');
  private readonly slider = make('input', { type: 'range', id: 'time', min: '0', max: '0', step: '1', value: '0', 'aria-label': 'time' });
  private readonly clock = make('output', { id: 'clock' });
  private readonly speedSelect = make('select', { id: 'speed', title: 'Simulated seconds per second' });
  private readonly fieldSelect = make('select', { id: 'field', title: 'Colour by' });
  private readonly followSelect = make('select', { id: 'follow', title: 'Camera follows' });
  private readonly layerList = make('div', { className: 'layer-list', id: 'layers' });
  private fields: ColourField[] = [];
  private layout = ''; // of the arrays that the fields were listed for
  private wanted = 0; // index of the frame that was asked for last
  private time = 0; // s, while playing
  private tickedAt = 0;
  private loading = false;
  private selected: number | null = null;

  constructor(
    container: HTMLElement,
    private readonly scene: Scene,
    private readonly source: FrameSource,
    private readonly still = false, // one picture is wanted, as good as can be
  ) {
    const view = make('div', { className: 'view' });
    container.append(view, this.controls());
    this.stage = new Stage(view, still || undefined);
    view.append(this.legend.element, this.info, this.scaleNote);
    this.stage.onCamera = () => this.onChange();
    this.legend.onRange = (range) => this.setRange(range);
    this.listen();
  }

  // ---- building

  private controls(): HTMLElement {
    for (const s of speeds) this.speedSelect.append(option(String(s), `${s}×`));
    const views = make('select', { id: 'views', title: 'Look from' }, option('', 'view'), ...viewNames.map((v) => option(v, v)));
    views.onchange = () => {
      if (views.value) {
        this.stage.touched = true;
        this.stage.fitCamera(views.value);
      }
      views.value = '';
    };
    const step = (by: number, label: string, title: string) => {
      const button = make('button', { type: 'button', title }, label);
      button.onclick = () => this.seek(this.wanted + by);
      return button;
    };
    const menu = make('details', { className: 'menu' }, make('summary', { title: 'What is shown' }, 'layers'), this.layerList);
    addEventListener('pointerdown', (event) => {
      if (!menu.contains(event.target as Node)) menu.open = false;
    });
    return make(
      'div',
      { className: 'controls' },
      make('div', { className: 'time-row' }, step(-1, '‹', 'One frame back (←)'), this.playButton, step(1, '›', 'One frame on (→)'), this.slider, this.clock),
      make(
        'div',
        { className: 'option-row' },
        make('label', {}, 'speed ', this.speedSelect),
        make('label', {}, 'colour ', this.fieldSelect),
        make('label', {}, 'follow ', this.followSelect),
        views,
        menu,
      ),
    );
  }

  private listen() {
    this.playButton.onclick = () => (this.playing ? this.pause() : this.play());
    this.slider.oninput = () => this.seek(Number(this.slider.value));
    this.speedSelect.onchange = () => this.setSpeed(Number(this.speedSelect.value));
    this.fieldSelect.onchange = () => this.setField(this.fieldSelect.value);
    this.followSelect.onchange = () => this.follow(this.followSelect.value);
    const canvas = this.stage.renderer.domElement;
    let pressed = { x: 0, y: 0 };
    canvas.addEventListener('pointerdown', (e) => (pressed = { x: e.clientX, y: e.clientY }));
    canvas.addEventListener('click', (e) => {
      if (Math.hypot(e.clientX - pressed.x, e.clientY - pressed.y) < 4) this.select(this.stage.pick(e));
    });
    canvas.addEventListener('dblclick', () => this.stage.fitCamera());
  }

  // Keys of a player, for a page that has only one.
  key(event: KeyboardEvent) {
    const on = event.target as HTMLElement;
    if (['INPUT', 'SELECT', 'TEXTAREA'].includes(on.tagName) && on !== this.slider) return;
    if (event.key === ' ') this.playing ? this.pause() : this.play();
    else if (event.key === 'ArrowRight' && on !== this.slider) this.seek(this.wanted + 1);
    else if (event.key === 'ArrowLeft' && on !== this.slider) this.seek(this.wanted - 1);
    else if (event.key === 'Home') this.seek(0);
    else if (event.key === 'End') this.seek(this.source.count - 1);
    else return;
    event.preventDefault();
  }

  private prepare(first: Frame) {
    this.stage.setLayers(makeLayers(this.scene, first));
    const box = this.stage.measure(this.sample(first));
    this.stage.fitCamera('iso', box);
    this.followSelect.replaceChildren(option('', 'nothing'), ...this.scene.bodies.filter((b) => !b.fixed).slice(0, 1000).map((b) => option(b.name, b.name)));
    this.layerList.replaceChildren(...this.stage.layers.map((layer) => this.layerBox(layer.name, layer.object.visible, (on) => (layer.object.visible = on))));
    this.layerList.append(this.layerBox('grid', true, (on) => (this.stage.gridShown = on)));
    this.speed = this.sensibleSpeed();
    this.speedSelect.value = String(this.speed);
    void this.lookAround(first);
  }

  // What can be coloured changes when arrays come, go or grow.
  private listFields(frame: Frame) {
    const layout = [...frame.fields.values()].map((f) => `${f.name}:${f.data.length}`).join();
    if (layout === this.layout) return;
    this.layout = layout;
    this.fields = colourFields(frame, new Map(this.stage.layers.map((layer) => [layer.group, layer.size] as const)));
    this.fieldSelect.replaceChildren(option('', 'own colours'), ...this.fields.map((f) => option(f.id, f.unit ? `${f.label} [${f.unit}]` : f.label)));
    this.fieldSelect.disabled = this.fields.length === 0;
    const first = this.scene.field;
    if (!this.chosen && first && this.fields.some((f) => f.id === first)) this.field = first;
    this.chosen = true;
    this.fieldSelect.value = this.field;
  }

  // Once the first picture is there: fetches some frames, so that the view holds the whole motion. Leaves alone a camera
  // that the user has moved.
  private async lookAround(first: Frame) {
    const bytes = [...first.fields.values()].reduce((sum, f) => sum + f.data.byteLength, 0);
    if (this.still || bytes > 1e6 || this.source.count < 2 || this.followed) return;
    const before = this.sample(first).length;
    await new Promise((resolve) => setTimeout(resolve, 300)); // the picture comes first
    for (let k = 0; k < spread; ++k) await this.source.at(this.spreadIndex(k)).catch(() => {});
    const frames = this.sample(this.frame ?? first);
    if (frames.length === before) return;
    const box = this.stage.measure(frames);
    if (!this.stage.touched && !this.followed) this.stage.fitCamera('iso', box);
    this.recolour();
    this.noteScale();
  }

  private spreadIndex(k: number) {
    return Math.round((k / (spread - 1)) * (this.source.count - 1));
  }

  // Frames at hand, spread over the run: what moves should not leave the picture.
  private sample(first: Frame): Frame[] {
    const frames = new Set<Frame>();
    for (let k = 0; k < spread; ++k) {
      const frame = this.source.cached(this.spreadIndex(k));
      if (frame && frame !== first) frames.add(frame);
    }
    return [...frames, first];
  }

  private layerBox(name: string, shown: boolean, set: (on: boolean) => void) {
    const box = make('input', { type: 'checkbox', checked: shown, 'data-layer': name, 'data-default': String(shown) });
    box.onchange = () => {
      set(box.checked);
      this.noteScale();
      this.stage.redraw();
      this.onChange();
    };
    return make('label', {}, box, ` ${name}`);
  }

  // Real time, unless that would be over in a blink or take for ever.
  private sensibleSpeed() {
    const length = this.source.timeOf(this.source.count - 1) - this.source.timeOf(0);
    if (!(length > 0) || (length >= 2 && length <= 60)) return 1;
    return speeds.reduce((best, s) => (Math.abs(Math.log(length / s / 10)) < Math.abs(Math.log(length / best / 10)) ? s : best), 1);
  }

  // ---- state

  // Layers whose box differs from the start: "-joint axes,+joint forces".
  get layerChanges(): string {
    const boxes = [...this.layerList.querySelectorAll('input')];
    return boxes
      .filter((box) => String(box.checked) !== box.dataset.default)
      .map((box) => (box.checked ? '+' : '-') + box.dataset.layer)
      .join(',');
  }
  set layerChanges(text: string) {
    for (const change of text.split(',').filter(Boolean)) {
      const boxes = [...this.layerList.querySelectorAll('input')];
      const box = boxes.find((b) => b.dataset.layer === change.slice(1));
      if (!box) this.onError(`there is no layer '${change.slice(1)}'; there are: ${boxes.map((b) => b.dataset.layer).join(', ')}`);
      else if (box.checked !== (change[0] === '+')) box.click();
    }
  }

  setSpeed(speed: number) {
    if (!speeds.includes(speed)) return;
    this.speed = speed;
    this.speedSelect.value = String(speed);
    this.onChange();
  }

  setField(id: string, range: Range | null = null, seen: Range | null = null) {
    if (id && !this.fields.some((f) => f.id === id)) {
      this.onError(`there is no field '${id}' to colour by; there are: ${this.fields.map((f) => f.id).join(', ') || 'none'}`);
      id = '';
    }
    this.field = this.fieldSelect.value = id;
    this.range = range;
    this.seen = seen;
    this.recolour();
    this.onChange();
  }

  private setRange(range: Range | null) {
    this.range = range;
    this.seen = null;
    this.recolour();
    this.onChange();
  }

  follow(name: string) {
    const index = this.scene.bodies.findIndex((b) => b.name === name);
    this.followed = this.followSelect.value = index < 0 ? '' : name;
    this.stage.follow(index < 0 ? null : index);
    this.onChange();
  }

  private select(body: number | null) {
    this.selected = body;
    this.tellSelected();
  }

  private tellSelected() {
    this.info.hidden = this.selected === null || !this.frame;
    if (this.selected === null || !this.frame) return;
    const rows = [...this.frame.fields.values()]
      .filter((f) => f.name.startsWith('bodies/') && f.name !== 'bodies/orientation')
      .map((f) => {
        const width = f.data.length / this.scene.bodies.length;
        const values = Array.from(f.data.subarray(this.selected! * width, (this.selected! + 1) * width), (v) => plain(v));
        return make('tr', {}, make('th', {}, f.name.slice(7).replaceAll('_', ' ')), make('td', {}, `${values.join(', ')} ${f.unit}`));
      });
    const { name, mass } = this.scene.bodies[this.selected];
    this.info.replaceChildren(make('strong', {}, name), ` ${plain(mass)} kg`, make('table', {}, ...rows));
  }

  // ---- time

  get atEnd() {
    return this.wanted >= this.source.count - 1;
  }

  // To a frame that the user chose.
  seek(index: number) {
    this.pause();
    void this.goTo(index);
    this.onSeek();
  }

  // Shows a frame; a later call overtakes an earlier one that is still loading.
  async goTo(index: number): Promise<void> {
    if (this.source.count === 0) return;
    index = Math.min(Math.max(0, Math.round(index)), this.source.count - 1);
    this.wanted = index;
    this.grew();
    this.slider.value = String(index);
    if (this.loading) return; // picked up below
    this.loading = true;
    try {
      do {
        index = this.wanted;
        this.show(await this.source.at(index));
      } while (index !== this.wanted);
    } catch (error) {
      this.pause();
      this.onError(`frame ${index}: ${messageOf(error)}`);
    } finally {
      this.loading = false;
    }
  }

  // The source has more frames than before.
  grew() {
    this.slider.max = String(Math.max(0, this.source.count - 1));
  }

  private show(frame: Frame) {
    if (!this.frame) this.prepare(frame);
    this.frame = frame;
    this.stage.show(frame);
    this.listFields(frame);
    this.recolour();
    this.tellSelected();
    this.noteScale();
    const last = this.source.timeOf(this.source.count - 1);
    this.clock.textContent = `${plain(frame.time, 5)} / ${plain(last, 5)} s`;
    this.clock.dataset.time = String(frame.time);
    this.clock.dataset.frame = String(frame.index);
    this.onFrame(frame);
    this.onChange();
  }

  private noteScale() {
    const arrows = this.stage.layers.filter((l): l is Arrows => l instanceof Arrows && l.object.visible && l.scale > 0);
    const notes = arrows.map((a) => `${a.name}: a grid step is ${plain(this.stage.gridStep / a.scale, 2)} ${a.unit}`);
    this.scaleNote.textContent = [`grid ${plain(this.stage.gridStep)} m`, ...notes].join(' · ');
  }

  private recolour() {
    const { frame, stage } = this;
    if (!frame) return;
    const choice = this.fields.find((f) => f.id === this.field);
    const field = choice && frame.fields.get(choice.array);
    for (const layer of stage.layers) {
      if (!choice || !field || layer.group !== choice.group || layer.size === 0) {
        layer.colour(null, { low: 0, high: 1 });
        continue;
      }
      const values = valuesOf(field, choice.component, layer.size);
      layer.colour(values, this.coloursFor(values));
    }
    if (choice && field) this.legend.show(choice.label, choice.unit, this.range ?? this.seen ?? { low: 0, high: 1 });
    else this.legend.hide();
    stage.redraw();
  }

  // The range that was typed in, or that of all values seen since the field was chosen.
  private coloursFor(values: Float32Array): Range {
    if (this.range) return this.range;
    const now = rangeOf(values);
    if (now) this.seen = this.seen ? { low: Math.min(this.seen.low, now.low), high: Math.max(this.seen.high, now.high) } : now;
    return this.seen ?? { low: 0, high: 1 };
  }

  play() {
    if (this.source.count < 2 || this.playing) return;
    if (this.atEnd) void this.goTo(0);
    this.playing = true;
    this.onSeek();
    this.playButton.textContent = '⏸';
    this.time = this.source.timeOf(this.wanted);
    this.tickedAt = performance.now();
    requestAnimationFrame((now) => this.tick(now));
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.playButton.textContent = '▶';
    this.onChange();
  }

  private tick(now: number) {
    if (!this.playing) return;
    const passed = Math.min(0.25, (now - this.tickedAt) / 1000);
    this.tickedAt = now;
    // Time waits for frames that are on their way.
    if (!this.loading) {
      this.time += passed * this.speed;
      const next = indexAt(this.source, this.time);
      if (next !== this.wanted) {
        const stride = Math.max(1, next - this.wanted);
        for (let k = 1; k <= ahead; ++k) {
          const index = next + k * stride;
          if (index < this.source.count && !this.source.cached(index)) this.source.at(index).catch(() => {});
        }
        void this.goTo(next);
      }
      if (this.time >= this.source.timeOf(this.source.count - 1)) {
        void this.goTo(this.source.count - 1);
        this.pause();
        return;
      }
    }
    requestAnimationFrame((t) => this.tick(t));
  }

  // ---- pictures

  // What is on the stage as a picture, with legend and time.
  picture(): HTMLCanvasElement {
    this.stage.draw();
    const source = this.stage.renderer.domElement;
    const canvas = make('canvas', { width: source.width, height: source.height });
    const context = canvas.getContext('2d')!;
    context.drawImage(source, 0, 0);
    const scale = Math.max(1, Math.min(source.width / 1280, source.height / 720));
    const style = getComputedStyle(this.stage.container);
    context.fillStyle = style.getPropertyValue('--text').trim() || '#222';
    context.font = `${Math.round(17 * scale)}px ${style.fontFamily}`;
    context.textBaseline = 'top';
    const margin = 16 * scale;
    if (this.frame) context.fillText(`t = ${plain(this.frame.time, 5)} s`, margin, margin);
    context.textBaseline = 'bottom';
    context.globalAlpha = 0.75;
    context.font = `${Math.round(13 * scale)}px ${style.fontFamily}`;
    context.fillText(this.scaleNote.textContent ?? '', margin, source.height - margin);
    context.globalAlpha = 1;
    this.drawLegend(context, source, scale, margin);
    return canvas;
  }

  private drawLegend(context: CanvasRenderingContext2D, source: HTMLCanvasElement, scale: number, margin: number) {
    const choice = this.fields.find((f) => f.id === this.field);
    const range = this.range ?? this.seen;
    if (!choice || !range) return;
    const width = 16 * scale;
    const height = 200 * scale;
    const x = source.width - margin - width;
    const y = margin + 30 * scale;
    Legend.paint(context, x, y, width, height);
    context.font = `${Math.round(14 * scale)}px ${getComputedStyle(this.stage.container).fontFamily}`;
    context.textAlign = 'right';
    context.textBaseline = 'top';
    context.fillText(choice.unit ? `${choice.label} [${choice.unit}]` : choice.label, x + width, margin);
    context.textBaseline = 'middle';
    for (const share of [0, 0.25, 0.5, 0.75, 1])
      context.fillText(plain(range.low + share * (range.high - range.low), 3), x - 6 * scale, y + (1 - share) * height);
    context.textAlign = 'left';
  }
}
