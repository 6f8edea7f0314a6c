import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';

/**
 * Names and kinds of the arguments of a message, also those inside of plural and select: `name`, `months plural`.
 * Throws where the message is no ICU message.
 */
export function argumentsOf(message: string): string[] {
  const found = new Set<string>();
  const walk = (elements: MessageFormatElement[]): void => {
    for (const element of elements) {
      if (element.type === TYPE.literal || element.type === TYPE.pound || element.type === TYPE.tag) continue;
      if (element.type === TYPE.plural || element.type === TYPE.select) {
        found.add(`${element.value} ${element.type === TYPE.plural ? 'plural' : 'select'}`);
        for (const option of Object.values(element.options)) walk(option.value);
      } else found.add(element.value);
    }
  };
  walk(parse(message, { ignoreTag: true }));
  // `{n, plural, one {{n} day} …}` names its argument again inside; that is no second argument.
  return [...found].filter(name => !found.has(`${name} plural`)).sort();
}
