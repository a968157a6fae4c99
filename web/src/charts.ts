// Curves: one chart per panel. Drag to zoom, double-click to see all; the zoom is shared. The cursor of all charts
// stands at one time, that of the time line or of the mouse.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Numbers } from './bundle';
import { make, onTheme, plain } from './dom';

export interface PanelHead {
  title: string;
  x_label: string;
  y_label: string;
  curves: { label: string; x: number; y: number }[];
}

// Colours are those of style.css; further curves repeat them with dashes.
const colourCount = 8;
const dashes = [[], [7, 3], [2, 3], [9, 3, 2, 3]];
const height = 190;

// uPlot wants one x for all curves of a chart: those of several runs are merged.
function aligned(panel: PanelHead, arrays: Numbers[]): uPlot.AlignedData {
  const broken = (values: Numbers) => Array.from(values, (v) => (Number.isFinite(v) ? v : null));
  const groups = new Map<number, number[]>();
  for (const { x, y } of panel.curves) groups.set(x, [...(groups.get(x) ?? []), y]);
  const tables = [...groups].map(([x, ys]) => [arrays[x], ...ys.map((y) => broken(arrays[y]))] as unknown as uPlot.AlignedData);
  return tables.length === 1 ? tables[0] : uPlot.join(tables, tables.map((t) => t.map(() => 1)) as uPlot.JoinNullMode[][]);
}

// One colour per curve. Where several runs lie over one another ("run: component"), a colour per component and a dash
// per run.
function strokes(panel: PanelHead): { colour: number; dash: number }[] {
  const parts = panel.curves.map(({ label }) => [label.slice(0, label.lastIndexOf(': ')), label.slice(label.lastIndexOf(': '))]);
  const overlaid = panel.curves.every(({ label }) => label.includes(': '));
  const runs = [...new Set(parts.map(([run]) => run))];
  const components = [...new Set(parts.map(([, component]) => component))];
  return parts.map(([run, component], i) =>
    overlaid
      ? { colour: components.indexOf(component), dash: runs.indexOf(run) }
      : { colour: i, dash: Math.floor(i / colourCount) },
  );
}

export class Charts {
  onZoom = (_: { min: number; max: number } | null) => {};
  onPick = (_: number) => {}; // a click on a time
  private panels: PanelHead[] = [];
  private arrays: Numbers[] = [];
  private frames: HTMLElement[] = [];
  private charts: (uPlot | null)[] = [];
  private range: { min: number; max: number } | null = null; // zoom
  private time: number | null = null; // of the time line
  private hovering = false;
  private syncing = false;
  private readonly watcher: IntersectionObserver;

  constructor(private readonly container: HTMLElement) {
    // Hundreds of charts are fine: those far down are drawn when they come near.
    this.watcher = new IntersectionObserver(
      (entries) => entries.filter((e) => e.isIntersecting).forEach((e) => this.build(this.frames.indexOf(e.target as HTMLElement))),
      { rootMargin: '5000px 0px' },
    );
    new ResizeObserver(() => this.resize()).observe(container);
    addEventListener('beforeprint', () => this.frames.forEach((_, i) => this.build(i)));
    onTheme(() => this.charts.forEach((chart) => chart?.redraw(false, true)));
  }

  // The same panels with other data keep their charts; a different list is built anew.
  set(panels: PanelHead[], arrays: Numbers[]) {
    const shape = (list: PanelHead[]) => JSON.stringify(list.map((p) => [p.title, p.y_label, p.curves.map((c) => c.label)]));
    const same = shape(panels) === shape(this.panels);
    this.panels = panels;
    this.arrays = arrays;
    if (same) {
      this.syncing = true;
      this.charts.forEach((chart, i) => {
        if (!chart) return;
        chart.setData(aligned(panels[i], arrays), this.range === null);
        if (this.range) chart.setScale('x', this.range);
      });
      this.syncing = false;
      requestAnimationFrame(() => this.showTime()); // once the new scales are there
      return;
    }
    this.charts.forEach((chart) => chart?.destroy());
    this.watcher.disconnect();
    this.charts = panels.map(() => null);
    this.frames = panels.map((panel) => {
      const frame = make('figure', { className: 'chart' }, make('figcaption', {}, panel.title));
      frame.style.minHeight = `${height + 60}px`;
      return frame;
    });
    this.container.replaceChildren(...this.frames);
    this.frames.forEach((frame) => this.watcher.observe(frame));
  }

  private get width() {
    return Math.max(200, this.frames[0]?.clientWidth ?? 0);
  }

  private build(i: number) {
    if (i < 0 || this.charts[i] || !this.panels[i]) return;
    this.charts[i] = new uPlot(this.options(this.panels[i]), aligned(this.panels[i], this.arrays), this.frames[i]);
    if (this.range) {
      this.syncing = true;
      this.charts[i]!.setScale('x', this.range);
      this.syncing = false;
    }
    this.showTime();
  }

  private options(panel: PanelHead): uPlot.Options {
    const css = (name: string) => () => getComputedStyle(this.container).getPropertyValue(name).trim();
    const axis = { stroke: css('--text'), grid: { stroke: css('--line'), width: 1 }, ticks: { stroke: css('--line'), width: 1 } };
    const value = (_: uPlot, v: number | null) => plain(v, 6);
    const looks = strokes(panel);
    return {
      width: this.width,
      height,
      pxAlign: 0,
      scales: { x: { time: false } },
      axes: [
        { ...axis, label: panel.x_label, labelSize: 22, size: 34 },
        { ...axis, label: panel.y_label, labelSize: 22, size: (_, labels) => 26 + 7 * Math.max(5, ...(labels ?? []).map((l) => l.length)), values: (_, splits) => splits.map((v) => plain(v, 6)) },
      ],
      series: [
        { label: panel.x_label, value },
        ...panel.curves.map((curve, i) => ({
          label: curve.label || panel.y_label,
          stroke: css(`--curve-${looks[i].colour % colourCount}`),
          dash: dashes[looks[i].dash % dashes.length],
          width: 1.5,
          value,
          points: { show: false },
        })),
      ],
      // Series 0 is x.
      legend: { live: true, markers: { dash: (_, i) => (i > 0 && looks[i - 1].dash > 0 ? 'dashed' : 'solid') } },
      cursor: {
        sync: { key: 'hardpan', scales: ['x', null] },
        drag: { x: true, y: false },
        points: { size: 5 },
        bind: {
          dblclick: () => () => {
            this.zoom(null);
            return null;
          },
        },
      },
      hooks: {
        setScale: [(chart, key) => this.zoomed(chart, key)],
        ready: [(chart) => (this.listen(chart), this.showTime())],
      },
    };
  }

  private listen(chart: uPlot) {
    let from = 0;
    let waiting = 0; // a second click within that time makes it a double click, which picks nothing
    chart.over.addEventListener('mousedown', (e) => (from = e.clientX));
    chart.over.addEventListener('mouseup', (e) => {
      clearTimeout(waiting);
      if (Math.abs(e.clientX - from) >= 3 || e.detail > 1) return;
      const time = chart.posToVal(e.clientX - chart.over.getBoundingClientRect().left, 'x');
      waiting = window.setTimeout(() => this.onPick(time), 250);
    });
    chart.over.addEventListener('mouseenter', () => (this.hovering = true));
    chart.over.addEventListener('mouseleave', () => {
      this.hovering = false;
      this.showTime();
    });
  }

  private zoomed(chart: uPlot, key: string) {
    if (key !== 'x' || this.syncing) return;
    const { min, max } = chart.scales.x;
    if (min === undefined || max === undefined) return;
    const whole = chart.data[0];
    const all = whole.length > 0 && min <= whole[0] && max >= whole[whole.length - 1];
    if (all === (this.range === null) && (all || (this.range!.min === min && this.range!.max === max))) return;
    this.zoom(all ? null : { min, max });
  }

  zoom(range: { min: number; max: number } | null) {
    this.range = range;
    this.syncing = true;
    for (const chart of this.charts) {
      if (!chart) continue;
      if (range) chart.setScale('x', range);
      else chart.setData(chart.data, true);
    }
    this.syncing = false;
    this.onZoom(range);
    this.showTime();
  }

  // Stands the cursor at a time.
  setTime(time: number) {
    this.time = time;
    if (!this.hovering) this.showTime();
  }

  private showTime() {
    if (this.time === null || this.hovering) return;
    for (const chart of this.charts) {
      if (!chart) continue;
      const left = chart.valToPos(this.time, 'x');
      const seen = left >= 0 && left <= chart.over.clientWidth;
      chart.setCursor({ left: seen ? left : -10, top: seen ? 0 : -10 }, false);
    }
  }

  private resize() {
    for (const chart of this.charts) chart?.setSize({ width: this.width, height });
    this.showTime();
  }
}
