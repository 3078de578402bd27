// Joining by a link: the code stands behind the # of the address, which no browser sends anywhere.

export function join(): void {
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
