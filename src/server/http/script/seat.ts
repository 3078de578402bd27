// Script of a seat: drafts, quoting a selection, and the focus after sending.

export function seat(): void {
  dropDrafts(isOld);
  for (const leave of document.querySelectorAll('form[action="/leave"]'))
    leave.addEventListener('submit', () => dropDrafts(() => true));
  const report = document.querySelector<HTMLElement>('#report');
  if (report?.dataset.came === 'sent') dropDraft(report.dataset.key ?? '');
  report?.querySelector<HTMLElement>('#report-h')?.focus();
  // Reloading must request the page without sending again; the id of a note is used up.
  if (report)
    history.replaceState(null, '', location.href.replace(/[?&]sent=[\w-]+/, '').replace(/#report$/, ''));
  begin();
  // A form without input was replaced by that of the next round.
  document.addEventListener('turn', begin);
  tellStale();
}

function begin(): void {
  const form = findSeatForm();
  if (!form) return;
  keepDraft(form);
  offerQuoting(form);
}

const findSeatForm = (): HTMLFormElement | null => document.querySelector<HTMLFormElement>('form[data-seat]');

/** Shows a notice in a form with input whose round is over. */
function tellStale(): void {
  const look = (): void => {
    const key = document.querySelector<HTMLElement>('#now')?.dataset.key;
    const form = findSeatForm();
    if (!form || key === undefined || key === form.dataset.seat) return;
    for (const id of ['stale', 'stale-over']) {
      const notice = form.querySelector<HTMLElement>(`#${id}`);
      if (notice) notice.hidden = (id === 'stale-over') !== (key === 'over');
    }
    const actions = form.querySelector<HTMLElement>('.actions');
    if (actions && key === 'over') actions.hidden = true;
  };
  new MutationObserver(look).observe(document.querySelector('main') ?? document.body, {
    attributes: true,
    attributeFilter: ['data-key'],
    childList: true,
    subtree: true,
  });
}

const PREFIX = 'council-draft:';
const OLDEST_MS = 30 * 24 * 3_600_000;
const PAUSE_MS = 400;

interface Draft {
  at: number;
  fields: [name: string, value: string][];
}

/** Saves what is typed in the form, and restores it into an empty one. */
function keepDraft(form: HTMLFormElement): void {
  const key = PREFIX + (form.dataset.seat ?? '');
  if (form.hasAttribute('data-fresh')) restore(form, read(key));
  let timer: number | undefined;
  const save = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const fields = listControls(form).flatMap((one): Draft['fields'] =>
      isChosen(one) ? [[one.name, one.value]] : [],
    );
    write(key, fields.some(([, value]) => value.trim() !== '') ? { at: Date.now(), fields } : undefined);
  };
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(save, PAUSE_MS);
  });
  window.addEventListener('pagehide', () => timer !== undefined && save());
}

const dropDraft = (key: string): void => write(PREFIX + key, undefined);

/** Drops drafts: all at sign-out, old ones automatically. */
function dropDrafts(isOver: (draft: Draft | undefined) => boolean): void {
  for (const key of listDraftKeys()) if (isOver(read(key))) write(key, undefined);
}

const isOld = (draft: Draft | undefined): boolean => draft === undefined || Date.now() - draft.at > OLDEST_MS;

type Control = HTMLInputElement | HTMLTextAreaElement;

const listControls = (form: HTMLFormElement): Control[] =>
  [...form.querySelectorAll<Control>('input:not([type=hidden]), textarea')].filter(({ name }) => name !== '');

const isChoice = (one: Control): one is HTMLInputElement => one.type === 'radio' || one.type === 'checkbox';
const isChosen = (one: Control): boolean => !isChoice(one) || one.checked;

function restore(form: HTMLFormElement, draft: Draft | undefined): void {
  if (!draft) return;
  for (const one of listControls(form)) {
    const values = draft.fields.filter(([name]) => name === one.name).map(([, value]) => value);
    if (!isChoice(one)) one.value = values[0] ?? '';
    else if (one.type === 'checkbox' || values.length > 0) one.checked = values.includes(one.value);
  }
}

/** If the browser's storage is unavailable, nothing is kept. */
function read(key: string): Draft | undefined {
  try {
    const draft = JSON.parse(localStorage.getItem(key) ?? 'null') as Draft | null;
    return draft && Array.isArray(draft.fields) ? draft : undefined;
  } catch {
    return undefined;
  }
}

function write(key: string, draft: Draft | undefined): void {
  try {
    if (draft) localStorage.setItem(key, JSON.stringify(draft));
    else localStorage.removeItem(key);
  } catch {
    // Full or forbidden.
  }
}

function listDraftKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    return [];
  }
}

function offerQuoting(form: HTMLFormElement): void {
  const text = form.querySelector<HTMLTextAreaElement>('#text');
  const button = form.querySelector<HTMLButtonElement>('#quote');
  if (!text || !button) return;
  for (const hint of form.querySelectorAll<HTMLElement>('.scripted')) hint.hidden = false;
  let selected = '';
  document.addEventListener('selectionchange', () => {
    const words = getSelectedWords();
    // On a phone, pressing the button clears the selection: the last one counts.
    if (words !== '') selected = words;
    button.hidden = selected === '';
  });
  const forget = (): void => {
    selected = '';
    button.hidden = true;
  };
  button.addEventListener('click', () => {
    insert(text, quoteLines(selected));
    forget();
  });
  // A click elsewhere forgets the selection.
  document.addEventListener('click', ({ target }) => {
    if (target !== button && getSelectedWords() === '') forget();
  });
  const show = (): void => {
    for (const one of document.querySelectorAll<HTMLElement>('[data-claim]')) one.hidden = false;
  };
  show();
  // A refresh adds buttons that are still hidden.
  new MutationObserver(show).observe(document.querySelector('main') ?? document.body, {
    childList: true,
    subtree: true,
  });
  document.addEventListener('click', ({ target }) => {
    const claim = target instanceof Element ? target.closest<HTMLElement>('[data-claim]') : null;
    if (claim) insert(text, `${claim.dataset.claim ?? ''}:\n\n${quoteLines(claim.dataset.words ?? '')}`);
  });
}

/** Returns the selected words if they are a participant's. */
function getSelectedWords(): string {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return '';
  const { startContainer, endContainer } = selection.getRangeAt(0);
  const from = findQuotable(startContainer);
  return from && from === findQuotable(endContainer) ? selection.toString().trim() : '';
}

const findQuotable = (node: Node): Element | null =>
  (node instanceof Element ? node : node.parentElement)?.closest('[data-quotable]') ?? null;

const quoteLines = (words: string): string =>
  words
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

/** Inserts a paragraph at the cursor, and moves the cursor behind it. */
function insert(field: HTMLTextAreaElement, words: string): void {
  const { value, selectionStart: at } = field;
  const before = value.slice(0, at).replace(/\n*$/, '');
  const start = before === '' ? '' : `${before}\n\n`;
  const after = value.slice(at).replace(/^\n*/, '');
  field.value = `${start}${words}\n\n${after}`;
  const end = start.length + words.length + 2;
  field.focus();
  field.setSelectionRange(end, end);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
