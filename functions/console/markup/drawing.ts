import type { BeginParams, ConsoleParams, SteeringParams, WidgetContext } from '../request.ts';
import type { Content, Html } from './html.ts';
import { html } from './html.ts';
import { formatAge, formatTime, readOffset } from './time-text.ts';

/** The viewer of a widget, and the functions that its buttons call. */
export interface Place {
  /** ARN of the function that draws. */
  readonly console: string;
  /** ARN of the function that pauses and cancels. */
  readonly steering: string;
  /** ARN of the function that begins batches. */
  readonly beginning: string;
  readonly theme: 'light' | 'dark';
  /** Available width in pixels. */
  readonly width: number;
  /** Offset of the dashboard's time zone, in ISO 8601: `+07:00`. */
  readonly offset: string;
  readonly nowMs: number;
}

/** Width in pixels below which tables become cards, and buttons as large as a fingertip. */
const narrowBelow = 700;

/** JSON that means the same as text and as markup. */
const inert = (params: ConsoleParams | SteeringParams | BeginParams): string =>
  JSON.stringify(params).replace(/[<>&]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);

interface ButtonLook {
  /** `link` looks like a link: for names in tables. */
  readonly look?: 'plain' | 'main' | 'danger' | 'link';
  /** Opens in a popup. The widget stays as it is. */
  readonly inPopup?: boolean;
}

/** Functions that the drawing's buttons may call. */
type Endpoints = Pick<Place, 'console' | 'steering' | 'beginning'>;

/** A drawing for the viewer that CloudWatch describes. No button calls an endpoint that is left out. */
export const drawingFor = (
  { theme, width, timezone }: WidgetContext,
  endpoints: Partial<Endpoints>,
  nowMs: number,
): Drawing =>
  new Drawing({
    ...{ console: '', steering: '', beginning: '', ...endpoints },
    ...{ theme, width, offset: timezone.offsetISO, nowMs },
  });

/** Draws for one viewer: buttons with their endpoints, and times in the viewer's time zone. */
export class Drawing {
  readonly place: Place;
  readonly #offsetMinutes: number;

  constructor(place: Place) {
    this.place = place;
    this.#offsetMinutes = readOffset(place.offset);
  }

  get isNarrow(): boolean {
    return this.place.width < narrowBelow;
  }

  /** A button that shows another view. */
  opens(label: Content, params: ConsoleParams, { look = 'plain', inPopup = false }: ButtonLook = {}): Html {
    return html`<button type="button" class="${look}">${label}</button><cwdb-action action="call" display="${
      inPopup ? 'popup' : 'widget'
    }" endpoint="${this.place.console}">${inert(params)}</cwdb-action>`;
  }

  /** A link to a batch. */
  batch(batchId: string, label: Content = batchId): Html {
    return this.opens(label, { view: 'batch', batchId }, { look: 'link' });
  }

  /** A button that changes something. CloudWatch asks for confirmation first. */
  steers(label: string, params: SteeringParams, confirmation: string, look: 'plain' | 'danger'): Html {
    return this.#changes(this.place.steering, label, params, confirmation, look);
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
    return this.#changes(beginning, label, { drawnAt, ...params, console }, confirmation, look);
  }

  #changes(
    endpoint: string,
    label: string,
    params: SteeringParams | BeginParams,
    confirmation: string,
    look: 'plain' | 'main' | 'danger',
  ): Html {
    return html`<button type="button" class="${look}">${label}</button><cwdb-action action="call" display="widget" endpoint="${
      endpoint
    }" confirmation="${confirmation}">${inert(params)}</cwdb-action>`;
  }

  /** A time in the dashboard's time zone. */
  time(iso: string): Html {
    const { text, whole } = formatTime(iso, this.#offsetMinutes);
    return html`<span class="nowrap" title="${whole} ${this.place.offset}">${text}</span>`;
  }

  /** The age of something, with the exact time as a tooltip. */
  age(iso: string): Html {
    const { whole } = formatTime(iso, this.#offsetMinutes);
    return html`<span class="nowrap" title="${whole} ${this.place.offset}">${formatAge(iso, this.place.nowMs)}</span>`;
  }
}
