// Whatever was said in a round that does not stand here has its old address: it leads to the page where the round stands.

export function round(): void {
  go();
  addEventListener('hashchange', go);
}

function go(): void {
  const tour = /^#said-(\d+)-/.exec(location.hash)?.[1];
  if (tour === undefined || document.getElementById(location.hash.slice(1))) return;
  const page = `?round=${tour}`;
  if (document.querySelector(`#round-${tour} a[href^="${page}#"]`)) location.replace(page + location.hash);
}
