import type { BeginParams, ConsoleParams, SteeringParams, WidgetContext } from '../request.ts';
import type { Content, Html } from './html.ts';
import { html } from './html.ts';
import { formatAge, formatTime } from './time-text.ts';

/** The viewer of a widget, and the functions that its buttons call. */
export interface Place extends Pick<WidgetContext, 'theme' | 'width' | 'timezone'> {
  /** ARN of the function that draws. */
  readonly console: string;
  /** ARN of the function that pauses and cancels. Left out where no button calls it. */
  readonly steering?: string;
  /** ARN of the function that begins batches. Left out where no button calls it. */
  readonly beginning?: string;
  readonly nowMs: number;
}

/** Width in pixels below which tables become cards, and buttons as large as a fingertip. */
const narrowBelow = 700;

/** JSON that means the same as text and as markup. */
const inert = (params: ConsoleParams | SteeringParams | BeginParams): string =>
  JSON.stringify(params).replace(/[<>&]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);

/** `link` looks like a link: for names in tables. */
type Look = 'plain' | 'main' | 'danger' | 'link';

const button = (label: Content, look: Look, call: Html, params: ConsoleParams | SteeringParams | BeginParams): Html =>
  html`<button type="button" class="${look}">${label}</button><cwdb-action action="call" ${call}>${inert(params)}</cwdb-action>`;

/** A call that changes something. CloudWatch asks for confirmation first. */
const change = (endpoint: string | undefined, confirmation: string): Html =>
  html`display="widget" endpoint="${endpoint}" confirmation="${confirmation}"`;

interface Opening {
  readonly look?: Look;
  /** Opens in a popup. The widget stays as it is. */
  readonly inPopup?: boolean;
}

/** Draws for one viewer: buttons with their endpoints, and times in the viewer's time zone. */
export class Drawing {
  readonly place: Place;

  constructor(place: Place) {
    this.place = place;
  }

  get isNarrow(): boolean {
    return this.place.width < narrowBelow;
  }

  /** A button that shows another view. */
  opens(label: Content, params: ConsoleParams, { look = 'plain', inPopup = false }: Opening = {}): Html {
    const call = html`display="${inPopup ? 'popup' : 'widget'}" endpoint="${this.place.console}"`;
    return button(label, look, call, params);
  }

  /** A link to a batch. */
  batch(batchId: string, label: Content = batchId): Html {
    return this.opens(label, { view: 'batch', batchId }, { look: 'link' });
  }

  /** A button that pauses or cancels. CloudWatch asks for confirmation first. */
  steers(label: string, params: SteeringParams, confirmation: string, look: 'plain' | 'danger'): Html {
    return button(label, look, change(this.place.steering, confirmation), params);
  }

  /** A button that checks a file version or requests its payment. CloudWatch asks for confirmation first. */
  begins(
    label: string,
    params: Omit<BeginParams, 'console' | 'drawnAt'> & Partial<Pick<BeginParams, 'drawnAt'>>,
    confirmation: string,
    look: 'plain' | 'main',
  ): Html {
    const { console, beginning, nowMs } = this.place;
    const drawnAt = new Date(nowMs).toISOString();
    return button(label, look, change(beginning, confirmation), { drawnAt, ...params, console });
  }

  /** A time in the dashboard's time zone. */
  time(iso: string): Html {
    const { text, whole } = formatTime(iso, this.place.timezone.offsetISO);
    return html`<span class="nowrap" title="${whole}">${text}</span>`;
  }

  /** The age of something, with the exact time as a tooltip. */
  age(iso: string): Html {
    const { whole } = formatTime(iso, this.place.timezone.offsetISO);
    return html`<span class="nowrap" title="${whole}">${formatAge(iso, this.place.nowMs)}</span>`;
  }
}
