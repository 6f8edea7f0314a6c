/**
 * text — owns texts and the operator's overrides of them, terms, policy, the maintenance flag.
 * Promises: no key is ever without a text; buying is blocked while maintenance is on.
 * Listens to nothing.
 */
export { textHandlers } from './handlers.ts';
export { createMaintenance, type Maintenance, setMaintenance } from './maintenance.ts';
export { namesIn } from './names.ts';
export { emailTexts, listTexts, setText, uiTexts, unsetText } from './overrides.ts';
export {
  type Brand,
  invoiceLineText,
  loadTranslator,
  type Translate,
  type Translator,
} from './translator.ts';
