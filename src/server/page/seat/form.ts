// Renders the form of a seat: the answer, and the phase's fields with labels and help.
import { fill } from '../../../core/base/words/words.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { formatLabelledValue, translatePhase } from '../page-formats.ts';
import type { RenderContext } from '../page-formats.ts';
import type { SeatAnswer } from './answer.ts';
import type { SeatDocument } from './document.ts';

export interface FormParts {
  answer: SeatAnswer;
  /** Hidden fields of the frame and the address. */
  hidden: Html;
  /** The path that it is sent to. */
  action: string;
  /** The last text was refused. */
  isWrong: boolean;
  /** True if another text is recorded in this round, which this one would replace. */
  replaces: boolean;
  /** True if the answer is the recorded one, without changes. */
  isRecorded: boolean;
}

type PageWords = RenderContext['w'];

/** Renders the form for an answer, with the fields of the current phase. */
export function renderSeatForm(
  { view }: SeatDocument,
  { w }: Pick<RenderContext, 'w'>,
  parts: FormParts,
): Html {
  const { answer, hidden, action, replaces, isRecorded } = parts;
  const isFresh = answer.text === '' || isRecorded;
  return html`<form
    id="answer"
    method="post"
    action="${action}#report"
    data-seat="${view.key}"
    ${isFresh && html`data-fresh`}
    ${isRecorded && html`data-recorded`}
  >
    ${hidden}<input type="hidden" name="tour" value="${view.tour}" /><input
      type="hidden"
      name="key"
      value="${view.key}"
    /><input type="hidden" name="held" value="${view.vote}" />
    <h2>${fill(w.seat.sayIn, { phase: translatePhase(view.phase, w), tour: view.tour })}</h2>
    <p class="notice" id="stale" role="status" hidden>
      ${w.seat.stale} <a href="${action}">${w.seat.reload}</a>
    </p>
    <p class="notice" id="stale-over" role="status" hidden>${w.seat.staleOver}</p>
    ${isRecorded && html`<p>${w.seat.mend}</p>`} ${renderTextField(w, parts)} ${renderChoices(view, w, parts)}
    ${renderMoreFields(view, w, parts)}
    <div class="row actions">
      <button name="do" value="preview">${w.seat.preview}</button>
      ${
        replaces
          ? html`<button class="main" name="do" value="replace">${w.seat.replace}</button>`
          : html`<button class="main" name="do" value="send">${w.seat.send}</button>`
      }
    </div>
  </form> `;
}

/** Browsers drop the line end at the start of a text area: it must be the template's, not the text's. */
function renderTextField({ seat }: PageWords, { answer, isWrong }: FormParts): Html {
  return html`<label for="text">${seat.answer}</label>
    <p class="beside" id="text-help">
      ${seat.answerHelp} <span class="scripted" hidden>${seat.selectHelp}</span>
    </p>
    <textarea
      id="text"
      name="text"
      rows="14"
      dir="auto"
      spellcheck="true"
      ${renderHelpLink('text-help', isWrong)}
    >
${answer.text}</textarea>
    <button type="button" class="quoting" id="quote" hidden>${seat.quoteWords}</button>`;
}

/** Renders the fields that the phase's form asks for. */
function renderChoices(view: SeatDocument['view'], w: PageWords, parts: FormParts): Html[] {
  const asks = (name: string): boolean => view.form.split('\n').includes(`${name}:`);
  return [
    ...(asks('vote') ? [renderVoteGroup(view, w, parts, asks('new'))] : []),
    ...(asks('rank') ? [renderRankField(view, w, parts, asks('new'))] : []),
    ...(asks('position') ? [renderPositionField(view, w, parts)] : []),
    ...(asks('because') ? [renderLineField('because', w.seat.because, w.seat.becauseHelp, parts)] : []),
    ...(asks('decision') ? [renderLineField('decision', w.seat.decision, w.seat.decisionHelp, parts)] : []),
  ];
}

/** Renders the positions to be ranked, and the field for the order. */
function renderRankField(
  { ballot }: SeatDocument['view'],
  w: PageWords,
  parts: FormParts,
  hasNew: boolean,
): Html {
  return html`<fieldset>
    <legend>${w.seat.rank}</legend>
    <ul>
      ${ballot.map(({ id, position }) => html`<li><bdi>${formatLabelledValue(id, position, { w })}</bdi></li>`)}
    </ul>
    ${renderLineField('rank', w.seat.order, w.seat.rankHelp, parts)}
    ${hasNew && renderLineField('new', w.seat.fresh, null, parts)}
  </fieldset>`;
}

function renderPositionField({ options }: SeatDocument['view'], w: PageWords, parts: FormParts): Html {
  if (options === null) return renderLineField('position', w.seat.position, w.seat.positionHelp, parts);
  const held = parts.answer.lines.position;
  return html`<fieldset id="position">
    <legend>${w.seat.position}</legend>
    ${options.map((option) => renderRadio('position', option, option, option === held))}
  </fieldset>`;
}

/** Renders the choice of one position, the acceptable ones, and a field for a new one. */
function renderVoteGroup(
  { ballot }: SeatDocument['view'],
  w: PageWords,
  parts: FormParts,
  hasNew: boolean,
): Html {
  const { answer } = parts;
  const held = answer.lines.vote ?? '';
  return html`<fieldset id="vote" ${renderHelpLink('vote-help')}>
    <legend>${w.seat.vote}</legend>
    <p class="beside" id="vote-help">${w.seat.voteHelp}</p>
    ${ballot.map(({ id, position }) => renderRadio('vote', id, formatLabelledValue(id, position, { w }), id === held))}
    ${renderRadio('vote', '', w.seat.noVote, held === '')}
    ${hasNew && renderLineField('new', w.seat.fresh, null, parts)}
    <fieldset id="approve" aria-describedby="approve-help">
      <legend>${w.seat.approve}</legend>
      <p class="beside" id="approve-help">${w.seat.approveHelp}</p>
      ${ballot.map(
        ({ id, position }) =>
          html`<label class="choice"
            ><input
              type="checkbox"
              name="approve"
              value="${id}"
              ${answer.approve.includes(id) && html`checked`}
            /><span>${formatLabelledValue(id, position, { w })}</span></label
          >`,
      )}
    </fieldset>
  </fieldset>`;
}

const renderRadio = (name: string, value: string, label: string, isChecked: boolean): Html =>
  html`<label class="choice"
    ><input type="radio" name="${name}" value="${value}" ${isChecked && html`checked`} /><span
      ><bdi>${label}</bdi></span
    ></label
  >`;

function renderLineField(name: string, label: string, help: string | null, { answer }: FormParts): Html {
  return html`<label for="${name}">${label}</label>
    ${help !== null && html`<p class="beside" id="${name}-help">${help}</p>`}
    <input
      id="${name}"
      name="${name}"
      value="${answer.lines[name] ?? ''}"
      autocomplete="off"
      dir="auto"
      ${help === null ? null : renderHelpLink(`${name}-help`)}
    />`;
}

function renderMoreFields(view: SeatDocument['view'], w: PageWords, parts: FormParts): Html {
  const { answer } = parts;
  const asks = (name: string): boolean => view.form.split('\n').includes(`${name}:`);
  const isOpen = answer.agreed || answer.done || answer.blocking !== '' || Boolean(answer.lines.same);
  return html`<details class="more" ${isOpen && html`open`}>
    <summary>${w.seat.more}</summary>
    ${asks('agreed') && renderCheckbox('agreed', w.seat.agreed, answer.agreed)}
    ${view.phase !== 'SYNTHESIZE' && renderCheckbox('done', w.seat.done, answer.done)}
    ${asks('same') && renderLineField('same', w.seat.same, w.seat.sameHelp, parts)}
    ${asks('confidence') && renderLineField('confidence', w.seat.confidence, w.seat.confidenceHelp, parts)}
    ${
      asks('blocking') &&
      html`<label for="blocking">${w.seat.blocking}</label>
        <p class="beside" id="blocking-help">${w.seat.blockingHelp}</p>
        <textarea
          id="blocking"
          name="blocking"
          class="short"
          rows="3"
          dir="auto"
          aria-describedby="blocking-help"
        >
${answer.blocking}</textarea>`
    }
  </details>`;
}

const renderCheckbox = (name: string, label: string, isChecked: boolean): Html =>
  html`<label class="choice"
    ><input type="checkbox" name="${name}" value="true" ${isChecked && html`checked`} /><span
      >${label}</span
    ></label
  >`;

/** Returns the ARIA attributes of a field: its error first, then its help. */
const renderHelpLink = (help: string, isWrong = false): Html =>
  html`aria-describedby="${isWrong ? `wrong-text ${help}` : help}" ${isWrong && html`aria-invalid="true"`}`;
