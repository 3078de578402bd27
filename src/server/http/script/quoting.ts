// Quoting: what is selected in a contribution goes into the answer, each line behind `> `.

export function offerQuoting(form: HTMLFormElement): void {
  const text = form.querySelector<HTMLTextAreaElement>('#text');
  const button = form.querySelector<HTMLButtonElement>('#quote');
  if (!text || !button) return;
  for (const hint of form.querySelectorAll<HTMLElement>('.scripted')) hint.hidden = false;
  let selected = '';
  document.addEventListener('selectionchange', () => {
    const words = selectedWords();
    // The selection goes when the button is pressed on a phone: what was selected last counts.
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
  // A click elsewhere ends it.
  document.addEventListener('click', ({ target }) => {
    if (target !== button && selectedWords() === '') forget();
  });
  const show = (): void => {
    for (const one of document.querySelectorAll<HTMLElement>('[data-claim]')) one.hidden = false;
  };
  show();
  // What is refreshed brings buttons that are not shown yet.
  new MutationObserver(show).observe(document.querySelector('main') ?? document.body, {
    childList: true,
    subtree: true,
  });
  document.addEventListener('click', ({ target }) => {
    const claim = target instanceof Element ? target.closest<HTMLElement>('[data-claim]') : null;
    if (claim) insert(text, `${claim.dataset.claim ?? ''}:\n\n${quoteLines(claim.dataset.words ?? '')}`);
  });
}

/** The selected words, where they are a participant's. */
function selectedWords(): string {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return '';
  const { startContainer, endContainer } = selection.getRangeAt(0);
  const from = wordsAround(startContainer);
  return from && from === wordsAround(endContainer) ? selection.toString().trim() : '';
}

const wordsAround = (node: Node): Element | null =>
  (node instanceof Element ? node : node.parentElement)?.closest('[data-quotable]') ?? null;

const quoteLines = (words: string): string =>
  words
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');

/** Puts a paragraph where the cursor is, and leaves the cursor behind it. */
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
