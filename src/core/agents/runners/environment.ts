/** What a program needs to work at all: where it is, who runs it, which language, and how to reach the network safely. */
const ALLOWED = new Set(
  `PATH HOME USER LOGNAME SHELL LANG TZ TMPDIR TEMP TMP TERM NO_COLOR NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR
   SYSTEMROOT WINDIR SYSTEMDRIVE COMSPEC PATHEXT APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES USERPROFILE USERNAME
   HOMEDRIVE HOMEPATH`.split(/\s+/),
);
const ALLOWED_FAMILIES = /^(LC_|XDG_)/;

/**
 * The environment of a launched program: the allowlist, the declared names, and council's own variables.
 * A declared name that is unset stays unset.
 */
export function childEnvironment(
  parent: NodeJS.ProcessEnv,
  declared: string[],
  extra: Record<string, string>,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(parent)) {
    if (value !== undefined && (isAllowed(name) || declared.includes(name))) env[name] = value;
  }
  return { ...env, ...extra };
}

function isAllowed(name: string): boolean {
  // Windows keeps the case in which a name was first written: "Path", "SystemRoot".
  const key = process.platform === 'win32' ? name.toUpperCase() : name;
  return ALLOWED.has(key) || ALLOWED_FAMILIES.test(key);
}
