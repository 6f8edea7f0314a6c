import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';

/** Kinds that pages can format (page-message.ts); any other kind is none of our texts'. */
function kindOf(
  element: Exclude<MessageFormatElement, { type: TYPE.literal | TYPE.pound | TYPE.tag }>,
): string {
  if (element.type === TYPE.argument) return '';
  if (element.type === TYPE.select) return ' select';
  const isPlain = element.type === TYPE.plural && element.pluralType === 'cardinal' && !element.offset;
  return isPlain ? ' plural' : ' in a format of its own';
}

/**
 * Names and kinds of the arguments of a message, including those inside plurals and selects:
 * `name`, `months plural`.
 * @throws if it is not an ICU message
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
  // `{n, plural, one {{n} day} …}` repeats its own argument inside, which does not count as a
  // second one.
  return [...found].filter(name => !found.has(`${name} plural`)).sort();
}
