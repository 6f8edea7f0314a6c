/** Value of a form body or query string: text, lists and named members, nested. */
export type FormValue = string | FormValue[] | { [name: string]: FormValue };
export type Form = { [name: string]: FormValue };

/**
 * Decodes Stripe's form encoding: `a[b]=1`, `a[0][c]=2`, `a[]=3`. Objects have no prototype, so
 * `__proto__` is an ordinary name.
 */
export function decodeForm(text: string): Form {
  const root: Form = Object.create(null);
  for (const [key, value] of new URLSearchParams(text)) {
    const [first, ...rest] = key.split('[').map(part => part.replace(/\]$/, ''));
    put(root, [first!, ...rest], value);
  }
  return listify(root) as Form;
}

function put(into: Form, [name, ...rest]: string[], value: string): void {
  const key = name === '' ? String(Object.keys(into).length) : name!;
  if (rest.length === 0) {
    into[key] = value;
    return;
  }
  const inner = into[key];
  if (typeof inner !== 'object') into[key] = Object.create(null) as Form;
  put(into[key] as Form, rest, value);
}

function listify(value: FormValue): FormValue {
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  const names = Object.keys(value);
  if (names.length > 0 && names.every((name, index) => name === String(index))) {
    return names.map(name => listify(value[name]!));
  }
  for (const name of names) value[name] = listify(value[name]!);
  return value;
}
