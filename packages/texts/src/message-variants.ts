import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';

/**
 * All variants of a message, one for each choice of its plurals and selects, with arguments as
 * `{name}`.
 * @throws if it is not an ICU message
 */
export function variantsOf(message: string): string[] {
  return written(parse(message, { ignoreTag: true }));
}

function written(elements: MessageFormatElement[]): string[] {
  let texts = [''];
  for (const element of elements) {
    const parts = partsOf(element);
    texts = texts.flatMap(text => parts.map(part => text + part));
  }
  return texts;
}

function partsOf(element: MessageFormatElement): string[] {
  switch (element.type) {
    case TYPE.literal:
      return [element.value];
    case TYPE.pound:
      return ['{#}'];
    case TYPE.plural:
    case TYPE.select:
      return Object.values(element.options).flatMap(option => written(option.value));
    case TYPE.tag:
      return written(element.children);
    default:
      return [`{${element.value}}`];
  }
}
