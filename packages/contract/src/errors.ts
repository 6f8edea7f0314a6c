/** Error catalogue: name, code and HTTP status (E2–E9) of each refusal or fault. */
type ErrorEntry = { code: string; status: 200 | 400 | 401 | 403 | 429 | 500 | 501 | 503 };

export const errors = {
  cardDeclined: { code: '2002', status: 400 },
  insufficientFunds: { code: 'insufficient_funds', status: 400 },
  keyLimitReached: { code: '4000', status: 400 },
  keyExists: { code: '4001', status: 400 },
  subscriptionNotActivated: { code: '4002', status: 400 },
  subscriptionNotExpired: { code: '4003', status: 400 },
  roleDuplicate: { code: '5000', status: 400 },
  productManagementDuplicate: { code: '5001', status: 400 },
  emailExists: { code: '5002', status: 400 },
  termsExist: { code: '5003', status: 400 },
  policyExists: { code: '5004', status: 400 },
  emailNotFound: { code: '6000', status: 400 },
  userNotFound: { code: '6001', status: 400 },
  planNotFound: { code: '6002', status: 400 },
  vendorNotFound: { code: '6003', status: 400 },
  productNotFound: { code: '6004', status: 400 },
  keyNotFound: { code: '6005', status: 400 },
  subscriptionNotFound: { code: '6006', status: 400 },
  cardNotFound: { code: '6007', status: 400 },
  passwordCondition: { code: '7000', status: 400 },
  employeeCodeInvalid: { code: '7001', status: 400 },
  firstNameInvalid: { code: '7002', status: 400 },
  lastNameInvalid: { code: '7003', status: 400 },
  validationFailed: { code: '7004', status: 400 },
  codeRequestsExceeded: { code: '7005', status: 429 },
  codeWrong: { code: '7006', status: 400 },
  codeExpired: { code: '7007', status: 400 },
  authenticationFailed: { code: '8000', status: 400 },
  sessionExpired: { code: '8001', status: 401 },
  forbidden: { code: '8002', status: 403 },
  tokenInvalid: { code: '8003', status: 400 },
  accessRestricted: { code: '8004', status: 403 },
  credentialsWrong: { code: '8005', status: 400 },
  passwordWrong: { code: '8006', status: 400 },
  accountHasSubscription: { code: '8007', status: 400 },
  userNotDeletable: { code: '8807', status: 400 },
  unexpected: { code: '9900', status: 500 },
  notBuilt: { code: '9900', status: 501 },
  providerUnreachable: { code: '9901', status: 503 },
  temporarilyUnavailable: { code: '9902', status: 503 },
  hostUnreachable: { code: '9903', status: 503 },
  maintenance: { code: '9904', status: 503 },
  tooManyRequests: { code: '9905', status: 429 },
  /** Body codes that end the session in the client. They are only ever about the session. */
  refreshRefused: { code: '401', status: 200 },
} as const satisfies Record<string, ErrorEntry>;

/** What 7004 says in `data.fields.id` of a subject that the catalogue has no code for: keys of texts. */
export const subjectFaults = {
  subscriptionEnded: 'subscription.ended',
  subscriptionNotNow: 'subscription.notNow',
  invoiceNotFound: 'invoice.notFound',
} as const;

export type ErrorName = keyof typeof errors;

/** Success code of every call. */
export const SUCCESS = '0000';

/** Body codes on which the client clears its session and opens the login page. */
export const SESSION_OVER = ['401', '500', '502'] as const;
