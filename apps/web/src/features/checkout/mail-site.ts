/** Where the owners of an address read their email; on a phone the link opens the app. */
const sites = {
  gmail: { name: 'Gmail', href: 'https://mail.google.com/' },
  outlook: { name: 'Outlook', href: 'https://outlook.live.com/mail/' },
  yahoo: { name: 'Yahoo Mail', href: 'https://mail.yahoo.com/' },
  icloud: { name: 'iCloud Mail', href: 'https://www.icloud.com/mail/' },
  naver: { name: 'NAVER', href: 'https://mail.naver.com/' },
  qq: { name: 'QQ', href: 'https://mail.qq.com/' },
} as const;

const domains: Record<string, keyof typeof sites> = {
  'gmail.com': 'gmail',
  'googlemail.com': 'gmail',
  'outlook.com': 'outlook',
  'outlook.co.th': 'outlook',
  'hotmail.com': 'outlook',
  'hotmail.co.th': 'outlook',
  'live.com': 'outlook',
  'msn.com': 'outlook',
  'yahoo.com': 'yahoo',
  'yahoo.co.th': 'yahoo',
  'yahoo.com.vn': 'yahoo',
  'yahoo.com.ph': 'yahoo',
  'yahoo.co.id': 'yahoo',
  'yahoo.co.in': 'yahoo',
  'icloud.com': 'icloud',
  'me.com': 'icloud',
  'naver.com': 'naver',
  'qq.com': 'qq',
};

/** The mail service of an address, which may be masked before the @; undefined for one that we do not know. */
export function mailSite(email: string): { name: string; href: string } | undefined {
  const site = domains[email.slice(email.lastIndexOf('@') + 1).toLowerCase()];
  return site && sites[site];
}
