import { brandOf, fault, format, isWrong } from './card-fields.js';
import { message } from './messages.js';

/**
 * The page inside the card fields' frame. What is typed here goes to the sandbox's own API and nowhere else; the
 * shop's page learns only whether it is complete, which brand it is, and what is wrong with it.
 *
 * @typedef {import('./card-fields.js').Field} Field
 * @typedef {Record<string, unknown>} Style
 * @typedef {{ style?: Record<string, Style>, placeholder?: string, disabled?: boolean }} Options
 * @typedef {{ group: string, locale: string, options: Options }} Init
 */

const root = document.documentElement.dataset;
const element = root.element ?? 'card';
const shopOrigins = (root.shopOrigins ?? '').split(' ');
/** @type {HTMLInputElement[]} */
const inputs = [...document.querySelectorAll('input')];
const fieldOf = (/** @type {HTMLInputElement} */ input) => /** @type {Field} */ (input.dataset.field);

/** @type {MessagePort | undefined} */
let port;
/** @type {Init} */
let settings = { group: '', locale: 'en', options: {} };
/** The last `change` sent, to send each state once. */
let lastChange = '';

/** Frames of one set of fields find each other by this; only pages of this origin can read it. */
const own = /** @type {Window & { cardFields?: { group: string, values: () => Record<string, string> } }} */ (
  window
);
own.cardFields = {
  get group() {
    return settings.group;
  },
  values: () => Object.fromEntries(inputs.map(input => [fieldOf(input), input.value])),
};

/** Values of all fields of this set, including those in neighbouring frames. */
function allValues() {
  /** @type {Record<string, string>} */
  const values = {};
  for (let index = 0; index < parent.length; index++) {
    try {
      const neighbour = /** @type {typeof own} */ (parent[index]).cardFields;
      if (neighbour?.group === settings.group) Object.assign(values, neighbour.values());
    } catch {
      // A frame of another origin is no neighbour.
    }
  }
  return values;
}

const brand = () => brandOf(allValues().number ?? '');

function faultOf(/** @type {Field} */ field, /** @type {string} */ value) {
  const found = fault(field, value, brand(), new Date());
  return found && { type: 'validation_error', ...found, message: message(settings.locale, found.code) };
}

function emit(/** @type {string} */ event, detail = {}) {
  port?.postMessage({ event, detail: { elementType: element, ...detail } });
}

function tellChange() {
  const faults = inputs.map(input => faultOf(fieldOf(input), input.value));
  const shown = inputs.map((input, index) =>
    input.value && isWrong(faults[index]) ? faults[index] : undefined,
  );
  const detail = {
    empty: inputs.every(input => !input.value),
    complete: faults.every(found => !found),
    error: shown.find(Boolean),
    ...(element === 'card' && { value: { postalCode: '' } }),
    ...(element !== 'cardExpiry' && element !== 'cardCvc' && { brand: brand() }),
  };
  paint(shown);
  if (JSON.stringify(detail) === lastChange) return;
  lastChange = JSON.stringify(detail);
  emit('change', detail);
}

const kebab = (/** @type {string} */ name) => name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

/** Applies the shop's styles through the CSSOM, since the page's policy allows no inline styles. */
function paint(/** @type {unknown[]} */ wrong) {
  const { base = {}, complete = {}, empty = {}, invalid = {} } = settings.options.style ?? {};
  for (const [index, input] of inputs.entries()) {
    const state = wrong[index]
      ? invalid
      : !input.value
        ? empty
        : faultOf(fieldOf(input), input.value)
          ? {}
          : complete;
    const focus = document.activeElement === input ? /** @type {Style} */ (base[':focus'] ?? {}) : {};
    const hint = /** @type {Style} */ (base['::placeholder'] ?? {});
    input.removeAttribute('style');
    for (const [name, value] of Object.entries({ ...base, ...focus, ...state })) {
      if (typeof value === 'string' || typeof value === 'number')
        input.style.setProperty(kebab(name), String(value));
    }
    if (hint.color) input.style.setProperty('--placeholder', String(hint.color));
    input.setAttribute('aria-invalid', String(Boolean(wrong[index])));
  }
  port?.postMessage({ height: document.body.scrollHeight });
}

function configure(/** @type {Partial<Init>} */ given) {
  settings = { ...settings, ...given, options: { ...settings.options, ...given.options } };
  for (const input of inputs) {
    const field = fieldOf(input);
    input.placeholder =
      (inputs.length === 1 && settings.options.placeholder) || message(settings.locale, `${field}Hint`);
    input.setAttribute('aria-label', message(settings.locale, field));
    input.disabled = settings.options.disabled ?? false;
  }
  tellChange();
}

/**
 * Sends the card to the sandbox's API under `prefix` and returns the answer to the shop's script.
 */
async function submit(
  /** @type {{ path: string, form: [string, string][], prefix: string }} */ { path, form, prefix },
) {
  const values = allValues();
  for (const field of /** @type {Field[]} */ (['number', 'expiry', 'cvc'])) {
    const found = faultOf(field, values[field] ?? '');
    if (found) return { error: found };
  }
  const [month = '', year = ''] = (values.expiry ?? '').split(' / ');
  const name = (/** @type {string} */ member) => (prefix ? `${prefix}[card][${member}]` : `card[${member}]`);
  const body = new URLSearchParams([
    ...form,
    [prefix ? `${prefix}[type]` : 'type', 'card'],
    [name('number'), (values.number ?? '').replaceAll(' ', '')],
    [name('exp_month'), month],
    [name('exp_year'), year],
    [name('cvc'), values.cvc ?? ''],
  ]);
  const answer = await fetch(path, { method: 'POST', body });
  return answer.json();
}

/** @type {Record<string, (given: never) => unknown>} */
const orders = {
  focus: () => inputs[0]?.focus(),
  blur: () => inputs.forEach(input => void input.blur()),
  clear: () => {
    for (const input of inputs) input.value = '';
    tellChange();
  },
  update: (/** @type {Options} */ options) => configure({ options }),
  submit,
};

async function obey(/** @type {MessageEvent} */ { data }) {
  const { order, given, id } = data;
  try {
    const result = await orders[order]?.(/** @type {never} */ (given));
    if (id) port?.postMessage({ answer: id, result });
  } catch {
    if (id) port?.postMessage({ answer: id, result: { error: { type: 'api_connection_error' } } });
  }
}

addEventListener('message', event => {
  if (port || event.source !== parent || !shopOrigins.includes(event.origin) || !event.ports[0]) return;
  port = event.ports[0];
  port.onmessage = obey;
  configure(event.data);
  emit('ready');
});

/** Changes the text and keeps the caret after the same digit. */
function rewrite(/** @type {HTMLInputElement} */ input, /** @type {string} */ next) {
  const caret = input.selectionStart ?? input.value.length;
  const atEnd = caret === input.value.length;
  let ahead = input.value.slice(0, caret).replace(/\D/g, '').length;
  input.value = next;
  let place = 0;
  while (place < next.length && ahead > 0) if (/\d/.test(next[place++] ?? '')) ahead--;
  if (!atEnd && document.activeElement === input) input.setSelectionRange(place, place);
}

for (const [index, input] of inputs.entries()) {
  input.addEventListener('input', event => {
    const field = fieldOf(input);
    const erasing = /** @type {InputEvent} */ (event).inputType?.startsWith('delete');
    // Removes the separator while erasing, or formatting would add it again at once.
    const next = erasing ? input.value.replace(/ \/ ?$/, '') : format(field, input.value, brand());
    if (next !== input.value) rewrite(input, next);
    tellChange();
    if (!erasing && document.activeElement === input && !faultOf(field, input.value) && field !== 'cvc')
      inputs[index + 1]?.focus();
  });
  input.addEventListener('focus', () => {
    tellChange();
    emit('focus');
  });
  input.addEventListener('blur', () => {
    tellChange();
    emit('blur');
  });
  input.addEventListener('keydown', event => event.key === 'Escape' && emit('escape'));
}
