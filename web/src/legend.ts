// The colour legend: a bar with its range, which can be typed in.
import { cssGradient, stops, type Range } from './colour';
import { make, plain } from './dom';

export class Legend {
  readonly element: HTMLElement;
  private shown: Range = { low: 0, high: 1 };
  onRange: (range: Range | null) => void = () => {};
  private readonly title = make('div', { className: 'legend-title' });
  private readonly high = make('input', { type: 'text', 'aria-label': 'highest value of the colours' });
  private readonly low = make('input', { type: 'text', 'aria-label': 'lowest value of the colours' });
  private readonly middle = make('span', {});

  constructor() {
    const bar = make('div', { className: 'legend-bar' });
    bar.style.background = cssGradient();
    const reset = make('button', { type: 'button', title: 'Fit the colours to this moment' }, 'fit');
    reset.onclick = () => this.onRange(null);
    for (const input of [this.low, this.high])
      input.onchange = () => {
        // An end that was not touched keeps all its digits.
        const end = (text: string, shown: number) => (text === plain(shown) ? shown : text.trim() ? Number(text) : NaN);
        const range = { low: end(this.low.value, this.shown.low), high: end(this.high.value, this.shown.high) };
        const sound = range.low < range.high && Number.isFinite(range.low + range.high);
        input.setCustomValidity(sound ? '' : 'two numbers, the lower one below');
        if (!sound) return void input.reportValidity();
        input.blur();
        this.onRange(range);
      };
    const scale = make('div', { className: 'legend-scale' }, this.high, this.middle, this.low);
    this.element = make('div', { className: 'legend', id: 'legend', hidden: true }, this.title, make('div', { className: 'legend-body' }, bar, scale), reset);
  }

  show(label: string, unit: string, range: Range) {
    this.element.hidden = false;
    this.title.textContent = unit ? `${label} [${unit}]` : label;
    this.shown = range;
    // What somebody is typing stays.
    if (document.activeElement !== this.low) this.low.value = plain(range.low);
    if (document.activeElement !== this.high) this.high.value = plain(range.high);
    this.middle.textContent = plain((range.low + range.high) / 2);
  }

  hide() {
    this.element.hidden = true;
  }

  // The bar in a picture.
  static paint(context: CanvasRenderingContext2D, x: number, y: number, width: number, height: number) {
    const { fillStyle } = context;
    const gradient = context.createLinearGradient(0, y + height, 0, y);
    stops.forEach((s, i) => gradient.addColorStop(i / (stops.length - 1), '#' + s));
    context.fillStyle = gradient;
    context.fillRect(x, y, width, height);
    context.fillStyle = fillStyle;
  }
}
