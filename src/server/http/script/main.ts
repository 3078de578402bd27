// The script of the pages: everything can be read and answered without it.
import { clocks } from './clocks.ts';
import { follow } from './follow.ts';
import { seat } from './seat.ts';

join();
round();
seat();
clocks();
drop();
follow();

/** More is refused by the server as well. */
const LONGEST = 1024 * 1024;

function drop(): void {
  for (const box of document.querySelectorAll<HTMLTextAreaElement>('textarea[data-drop]')) {
    box.addEventListener('dragover', (event) => event.preventDefault());
    box.addEventListener('drop', (event) => {
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      if (file.size > LONGEST) return;
      void file.text().then((text) => {
        box.value = text;
        box.dispatchEvent(new Event('input', { bubbles: true }));
      });
    });
  }
}

function join(): void {
  take();
  // A link that is opened where the page stands already loads nothing anew.
  addEventListener('hashchange', take);
}

function take(): void {
  const form = document.querySelector<HTMLFormElement>('form[data-join]');
  const code = form?.querySelector<HTMLInputElement>('#code');
  if (!form || !code || location.hash.length < 2) return;
  try {
    code.value = decodeURIComponent(location.hash.slice(1));
  } catch {
    // No code of ours: the person types one.
    return;
  }
  // A code does not belong into the history of a browser.
  history.replaceState(null, '', location.pathname + location.search);
  // One that was refused is not sent again and again.
  if (!document.querySelector('#wrong')) form.requestSubmit();
}

function round(): void {
  go();
  addEventListener('hashchange', go);
}

function go(): void {
  const tour = /^#said-(\d+)-/.exec(location.hash)?.[1];
  if (tour === undefined || document.getElementById(location.hash.slice(1))) return;
  const page = `?round=${tour}`;
  if (document.querySelector(`#round-${tour} a[href^="${page}#"]`)) location.replace(page + location.hash);
}
