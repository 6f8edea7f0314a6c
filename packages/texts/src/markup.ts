/** A text as it stands in HTML or XML, also inside of an attribute. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`);
