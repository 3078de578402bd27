// What an archive says about itself, without reading its front matter as YAML.

/** Whose archive a text is; undefined where it does not say so in the usual place. */
export const extractConversationId = (archive: string): string | undefined =>
  /^conversationId: ["']?([0-9a-f-]{36})/m.exec(archive)?.[1];
