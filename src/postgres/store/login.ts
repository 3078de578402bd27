// PostgreSQL driver: the address with the password of the user's .pgpass file, where it has none itself.
import type { DatabasePlace } from './place.ts';

/** The driver of the protocol looks there as well, but warns that it will not for long. */
export async function resolveLogin({ url }: DatabasePlace): Promise<string> {
  const address = new URL(url);
  const { hostname: host, port, username, password, pathname } = address;
  if (password !== '' || address.searchParams.has('password') || process.env.PGPASSWORD || username === '')
    return url;
  const { default: pgpass } = await import('pgpass');
  const found = await new Promise<string | undefined>((resolve) =>
    pgpass(
      {
        host,
        port: Number(port || '5432'),
        user: decodeURIComponent(username),
        database: decodeURIComponent(pathname.slice(1)),
      },
      resolve,
    ),
  );
  if (found !== undefined) address.password = encodeURIComponent(found);
  return address.href;
}
