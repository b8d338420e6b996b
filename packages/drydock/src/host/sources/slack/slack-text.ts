const MARKUP = /<([@#!])?([^>|]*)(?:\|([^>]*))?>/g;

/** The words of a message as people see them. Other people stay as `<@U…>`: their names are not in the message. */
export function readSlackText(text: string): string {
  const plain = text.replace(MARKUP, (whole, mark: string | undefined, what: string, label: string | undefined) => {
    switch (mark) {
      case "@":
        return whole;
      case "#":
        return `#${label || what}`;
      case "!":
        return `@${(label || what).replace(/^(subteam\^|@)/, "")}`;
      default:
        return label && label !== what ? `${label} (${what})` : what;
    }
  });
  return plain.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}

/** Words that Slack shows as they are: nothing in them calls people or makes links with another label. */
export function writeSlackText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
