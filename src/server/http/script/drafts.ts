// Drafts of answers: they stay in this browser, by council, seat and round, until the answer is recorded.

const PREFIX = 'council-draft:';
const OLDEST_MS = 30 * 24 * 3_600_000;
const PAUSE_MS = 400;

interface Draft {
  at: number;
  fields: [name: string, value: string][];
}

/** Keeps what is typed in the form, and brings it back into one that is empty. */
export function keepDraft(form: HTMLFormElement): void {
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

/** The draft of an answer that was recorded goes. */
export const dropDraft = (key: string): void => write(PREFIX + key, undefined);

/** All of them go at sign-out, and old ones go by themselves. */
export function dropDrafts(isOver: (draft: Draft | undefined) => boolean): void {
  for (const key of keys()) if (isOver(read(key))) write(key, undefined);
}

export const isOld = (draft: Draft | undefined): boolean =>
  draft === undefined || Date.now() - draft.at > OLDEST_MS;

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

/** A browser may keep nothing: then nothing is kept. */
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
    // Full, or forbidden.
  }
}

function keys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    return [];
  }
}
