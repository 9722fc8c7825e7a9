import type { BeginParams, ConsoleParams, SteeringParams, WidgetContext } from '../request.ts';
import type { Content, Html } from './html.ts';
import { html } from './html.ts';
import { formatAge, formatTime, readOffset } from './time-text.ts';

/** For whom a widget is drawn, and what its buttons call. */
export interface Place {
  /** ARN of the function that draws. */
  readonly console: string;
  /** ARN of the one that pauses and cancels. */
  readonly steering: string;
  /** ARN of the one that begins batches. */
  readonly beginning: string;
  readonly theme: 'light' | 'dark';
  /** Pixels there are. */
  readonly width: number;
  /** Of the dashboard's time zone, as ISO 8601 writes it: `+07:00`. */
  readonly offset: string;
  readonly nowMs: number;
}

/** Pixels below which tables become cards, and buttons as large as a fingertip. */
const narrowBelow = 700;

/** JSON that stays the same whether it is read as text or as markup. */
const inert = (params: ConsoleParams | SteeringParams | BeginParams): string =>
  JSON.stringify(params).replace(/[<>&]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);

export interface ButtonLook {
  /** `link` looks like one: for names in tables. */
  readonly look?: 'plain' | 'main' | 'danger' | 'link';
  /** Beside the widget, which stays as it is. */
  readonly inPopup?: boolean;
}

/** What a button of the drawing may call. */
type Endpoints = Pick<Place, 'console' | 'steering' | 'beginning'>;

/** For the viewer that CloudWatch tells of. What is left out no button calls. */
export const drawingFor = (
  { theme, width, timezone }: WidgetContext,
  endpoints: Partial<Endpoints>,
  nowMs: number,
): Drawing =>
  new Drawing({
    ...{ console: '', steering: '', beginning: '', ...endpoints },
    ...{ theme, width, offset: timezone.offsetISO, nowMs },
  });

/** Draws for one place: buttons that know what to call, times as its clock shows them. */
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

  /** A button that changes something: CloudWatch asks before it does. */
  steers(label: string, params: SteeringParams, confirmation: string, look: 'plain' | 'danger'): Html {
    return html`<button type="button" class="${look}">${label}</button><cwdb-action action="call" display="widget" endpoint="${
      this.place.steering
    }" confirmation="${confirmation}">${inert(params)}</cwdb-action>`;
  }

  /** A button that has a version of a file checked, or asks for its payment: CloudWatch asks before it does. */
  begins(
    label: string,
    params: Omit<BeginParams, 'console' | 'drawnAt'> & Partial<Pick<BeginParams, 'drawnAt'>>,
    confirmation: string,
    look: 'plain' | 'main',
  ): Html {
    const { console, beginning, nowMs } = this.place;
    const drawnAt = new Date(nowMs).toISOString();
    return html`<button type="button" class="${look}">${label}</button><cwdb-action action="call" display="widget" endpoint="${
      beginning
    }" confirmation="${confirmation}">${inert({ drawnAt, ...params, console })}</cwdb-action>`;
  }

  /** A time as the dashboard's clock shows it. */
  time(iso: string): Html {
    const { text, whole } = formatTime(iso, this.#offsetMinutes);
    return html`<span class="nowrap" title="${whole} ${this.place.offset}">${text}</span>`;
  }

  /** How long ago, with the time beside it for who hovers. */
  age(iso: string): Html {
    const { whole } = formatTime(iso, this.#offsetMinutes);
    return html`<span class="nowrap" title="${whole} ${this.place.offset}">${formatAge(iso, this.place.nowMs)}</span>`;
  }
}
