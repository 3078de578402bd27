// A seat with a script: drafts, quoting by selection, and where to look after something was sent.
import { dropDraft, dropDrafts, isOld, keepDraft } from './drafts.ts';
import { offerQuoting } from './quoting.ts';

export function seat(): void {
  dropDrafts(isOld);
  for (const leave of document.querySelectorAll('form[action="/leave"]'))
    leave.addEventListener('submit', () => dropDrafts(() => true));
  const report = document.querySelector<HTMLElement>('#report');
  if (report?.dataset.came === 'sent') dropDraft(report.dataset.key ?? '');
  report?.querySelector<HTMLElement>('#report-h')?.focus();
  // Loaded again, the page is asked for, and nothing is sent a second time; the name of a note is used up.
  if (report)
    history.replaceState(null, '', location.href.replace(/[?&]sent=[\w-]+/, '').replace(/#report$/, ''));
  begin();
  // A form in which nothing was typed has given way to the one of the next round.
  document.addEventListener('turn', begin);
  tellStale();
}

function begin(): void {
  const form = formHere();
  if (!form) return;
  keepDraft(form);
  offerQuoting(form);
}

const formHere = (): HTMLFormElement | null => document.querySelector<HTMLFormElement>('form[data-seat]');

/** Where the round of a form is over and something was typed in it, the form stays and says so. */
function tellStale(): void {
  const look = (): void => {
    const key = document.querySelector<HTMLElement>('#now')?.dataset.key;
    const form = formHere();
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
