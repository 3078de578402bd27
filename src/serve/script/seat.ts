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
  // Loaded again, the page is asked for, and nothing is sent a second time.
  if (report) history.replaceState(null, '', location.href);
  const form = document.querySelector<HTMLFormElement>('form[data-seat]');
  if (!form) return;
  keepDraft(form);
  offerQuoting(form);
  tellStale(form);
}

/** Where a new round has begun meanwhile, the form is one of the round before. */
function tellStale(form: HTMLFormElement): void {
  const notice = form.querySelector<HTMLElement>('#stale');
  const look = (): void => {
    const key = document.querySelector<HTMLElement>('#now')?.dataset.key;
    if (notice && key !== undefined && key !== form.dataset.seat) notice.hidden = false;
  };
  new MutationObserver(look).observe(document.querySelector('main') ?? document.body, {
    attributes: true,
    attributeFilter: ['data-key'],
    childList: true,
    subtree: true,
  });
}
