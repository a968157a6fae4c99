// The page of `hardpan view`: plays a finished or running result that the server hands out piece by piece.
import { readAddress, readRange, writeAddress, writeRange, type State } from './address';
import { readBundle } from './bundle';
import { Charts, type PanelHead } from './charts';
import { messageOf, plain } from './dom';
import { indexAt, Stream } from './frames';
import { Player } from './player';
import type { Scene } from './scene';
import { bytesOf, jsonOf, type Run } from './server';
import { shoot } from './shot';

const meaning: Record<Run['status'], string> = {
  running: 'running',
  stopped: 'stopped before its end',
  done: 'done',
  interrupted: 'interrupted',
  diverged: 'diverged',
};

const element = (id: string) => document.getElementById(id)!;

class Viewer {
  private readonly stream = new Stream(bytesOf);
  private readonly charts = new Charts(element('charts'));
  private player: Player | null = null;
  private run!: Run;
  private live = false; // stay at the newest frame
  private restoring = true;
  private seriesShown = -1;
  private zoomRange: { min: number; max: number } | null = null;
  private lost = false;
  private problem = ''; // of the folder, as last told
  private panels = 1;

  async start() {
    this.run = await jsonOf<Run>('api/run');
    this.stream.setSegments(this.run.segments);
    this.tellStatus();
    // On its way while the browser prepares to draw; a failure is told when it is shown.
    if (this.stream.count > 0) this.stream.at(this.indexFor(readAddress())).catch(() => {});
    const scene = await jsonOf<Scene>('api/scene');
    const player = (this.player = new Player(element('stage'), scene, this.stream));
    player.onError = (message) => complain(message);
    player.onFrame = (frame) => this.charts.setTime(frame.time);
    player.onChange = () => this.keep();
    player.onSeek = () => this.setLive(!player.playing && player.atEnd && this.run.status === 'running');
    this.charts.onPick = (time) => player.seek(indexAt(this.stream, time));
    this.charts.onZoom = (range) => {
      this.zoomRange = range;
      void this.loadSeries();
    };
    addEventListener('keydown', (event) => player.key(event));
    element('live').addEventListener('click', () => {
      this.setLive(!this.live);
      if (this.live) void player.goTo(this.stream.count - 1);
    });
    element('save').addEventListener('click', () => this.savePicture());
    element('error-close').addEventListener('click', () => (element('error').hidden = true));
    addEventListener('hashchange', () => void this.restore(readAddress()));

    await this.restore(readAddress());
    void this.loadSeries();
    this.poll();
  }

  private indexFor(state: State): number {
    const time = state.t === undefined ? NaN : Number(state.t);
    if (Number.isFinite(time)) return indexAt(this.stream, time);
    return this.run.status === 'running' ? this.stream.count - 1 : 0;
  }

  private async restore(state: State) {
    const player = this.player!;
    this.restoring = true;
    try {
      if (this.stream.count === 0) return;
      await player.goTo(this.indexFor(state));
      this.setLive(this.run.status === 'running' && (state.t === undefined || player.atEnd));
      if (!player.frame) return;
      if (state.speed) player.setSpeed(Number(state.speed));
      else if (this.run.status === 'running') player.setSpeed(1); // nobody knows yet how long it will be
      if (state.layers) player.layerChanges = state.layers;
      player.setField(state.field ?? player.field, readRange(state.range), readRange(state.seen));
      if (state.follow) player.follow(state.follow);
      if (state.camera) player.stage.view = state.camera;
    } catch (error) {
      complain(messageOf(error));
    } finally {
      this.restoring = false;
    }
  }

  private keep() {
    const player = this.player;
    if (this.restoring || !player?.frame) return;
    writeAddress({
      t: this.live ? '' : String(+player.frame.time.toPrecision(9)),
      camera: player.stage.view,
      field: player.field,
      range: writeRange(player.range),
      seen: player.range ? '' : writeRange(player.seen),
      follow: player.followed,
      layers: player.layerChanges,
      speed: String(player.speed),
    });
  }

  private setLive(live: boolean) {
    this.live = live;
    element('live').setAttribute('aria-pressed', String(live));
  }

  private tellStatus() {
    const { run } = this;
    document.title = `${run.title} – Hardpan`;
    element('title').textContent = run.title;
    element('name').textContent = run.name === run.title ? '' : run.name;
    const status = element('status');
    status.textContent = meaning[run.status] ?? run.status;
    status.dataset.status = run.status;
    status.title = run.reason ?? '';
    element('live').hidden = run.status !== 'running';
    element('reason').textContent = run.reason ?? '';
    const last = run.segments[run.segments.length - 1];
    element('amount').textContent = last ? `${run.frames} frames, ${plain(last.last_time)} s` : run.status === 'running' ? 'no frames yet' : 'no frames';
    const empty = element('empty');
    empty.hidden = run.frames > 0;
    empty.textContent =
      run.status === 'running' ? 'The run has just begun: the first frames appear after about two seconds.' : 'This run has no frames to show.';
    if (run.problem) complain(run.problem);
    else if (this.problem && element('error-text').textContent === this.problem) element('error').hidden = true;
    this.problem = run.problem ?? '';
  }

  // A running result is asked for more once a second, any other one now and then: it may be taken up again.
  private poll() {
    const wait = this.run.status === 'running' ? 1000 : 4000;
    setTimeout(async () => {
      try {
        await this.refresh();
        if (this.lost) element('error').hidden = true;
        this.lost = false;
      } catch (error) {
        this.lost = true;
        complain(messageOf(error));
      }
      this.poll();
    }, wait);
  }

  private async refresh() {
    const before = this.run;
    const run = await jsonOf<Run>('api/run');
    if (run.generation !== before.generation && before.frames > 0) return location.reload(); // another run in this folder
    this.run = run;
    this.stream.setSegments(run.segments);
    this.tellStatus();
    if (run.frames > before.frames) {
      this.player!.grew();
      if (before.frames === 0) await this.restore(readAddress());
      else if (this.live && !this.player!.playing) await this.player!.goTo(run.frames - 1);
    }
    if (run.status !== 'running') this.setLive(false);
    if (run.series_bytes !== this.seriesShown) await this.loadSeries();
  }

  private async loadSeries() {
    const bytes = this.run.series_bytes;
    try {
      const range = this.zoomRange;
      // Many charts get fewer points each.
      const query = new URLSearchParams({ points: String(Math.round(Math.min(2000, Math.max(200, 60000 / this.panels)))) });
      if (range) query.set('from', String(range.min));
      if (range) query.set('to', String(range.max));
      const data = await bytesOf(`api/series?${query}`);
      if (range !== this.zoomRange) return; // zoomed again meanwhile
      const { head, arrays } = readBundle<{ panels: PanelHead[] }>(data);
      this.charts.set(head.panels, arrays);
      this.panels = Math.max(1, head.panels.length);
      this.seriesShown = bytes;
      document.body.classList.toggle('without-curves', head.panels.length === 0);
    } catch (error) {
      complain(`curves: ${messageOf(error)}`);
    }
  }

  private savePicture() {
    const player = this.player;
    if (!player?.frame) return;
    player.picture().toBlob((blob) => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(blob!);
      link.download = `${this.run.name}-${plain(player.frame!.time)}s.png`;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }
}

function complain(message: string) {
  element('error-text').textContent = message;
  element('error').hidden = false;
}

export async function startViewer() {
  if (new URLSearchParams(location.search).has('shot')) {
    document.body.classList.add('shot');
    return shoot();
  }
  try {
    await new Viewer().start();
  } catch (error) {
    complain(messageOf(error));
  }
}
