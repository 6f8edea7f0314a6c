import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';

/** All that pages read (page-message.ts): what is formatted otherwise has another kind than any of our texts. */
function kindOf(
  element: Exclude<MessageFormatElement, { type: TYPE.literal | TYPE.pound | TYPE.tag }>,
): string {
  if (element.type === TYPE.argument) return '';
  if (element.type === TYPE.select) return ' select';
  const isPlain = element.type === TYPE.plural && element.pluralType === 'cardinal' && !element.offset;
  return isPlain ? ' plural' : ' in a format of its own';
}

/**
 * Names and kinds of the arguments of a message, also those inside of plural and select: `name`, `months plural`.
 * Throws where the message is no ICU message.
 */
export function argumentsOf(message: string): string[] {
  const found = new Set<string>();
  const walk = (elements: MessageFormatElement[]): void => {
    for (const element of elements) {
      if (element.type === TYPE.literal || element.type === TYPE.pound || element.type === TYPE.tag) continue;
      found.add(element.value + kindOf(element));
      if (element.type === TYPE.plural || element.type === TYPE.select) {
        for (const option of Object.values(element.options)) walk(option.value);
      }
    }
  };
  walk(parse(message, { ignoreTag: true }));
  // `{n, plural, one {{n} day} …}` names its argument again inside; that is no second argument.
  return [...found].filter(name => !found.has(`${name} plural`)).sort();
}
