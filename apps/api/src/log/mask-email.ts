/**
 * `someone@example.com` → `s***@example.com`: enough to recognise one's own address, too little to
 * learn another's.
 */
export const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/, '$1***');
