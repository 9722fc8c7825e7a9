import type { Language } from './choose-language.ts';

/** The words of the pages in English. Their type is the template for every other language. */
const english = {
  /** The language of the page, its numbers and its dates. */
  language: 'en',
  secure: 'Secure checkout',
  sandboxNote: 'Sandbox: no real money moves on this page.',
  reference: 'Checkout reference',
  offline: 'The connection is lost. Trying again…',
  timeLeft: 'Time left',
  payBefore: 'Pay before',
  /** Words for the page's script. `left` is by seconds. */
  script: {
    left: { 300: '5 minutes left to pay.', 60: '1 minute left to pay.' },
    copy: 'Copy',
    copied: 'Copied',
    selected: 'Selected. Copy it from there.',
  },
  /** The link back, by the state of the checkout. */
  back: {
    choosing: (merchant: string) => `Back to ${merchant} without paying`,
    awaiting_payment: (merchant: string) => `Back to ${merchant}`,
    completed: (merchant: string) => `Return to ${merchant}`,
    expired: (merchant: string) => `Go back to ${merchant}`,
  },
  kinds: { qris: 'QR payment', va: 'Virtual account', bank_transfer: 'Bank transfer', ewallet: 'E-wallet' },
  facts: {
    method: 'Method',
    amount: 'Amount',
    fee: 'Fee',
    none: 'none',
    total: 'Total to pay',
    paid: 'Paid',
    when: 'When',
  },
  choosing: {
    title: (amount: string, merchant: string) => `Pay ${amount} to ${merchant}`,
    said: 'Choose how to pay.',
    question: 'How do you want to pay?',
    withFee: (fee: string) => `incl. fee ${fee}`,
    withoutFee: 'no fee',
    final: 'The method cannot be changed afterward.',
    next: 'Continue',
    nextWith: (method: string) => `Continue with ${method}`,
    /** Reasons why the last choice was not accepted, by their name in the page's address. */
    problems: {
      missing: 'Choose one of the payment methods.',
      gone: 'This payment method cannot be used here. Choose another one.',
      busy: 'Your choice was not saved because the service is busy. Try again in a moment.',
    },
    noOffers: (merchant: string) =>
      `No payment method accepts this amount at the moment. Go back to ${merchant} and start again.`,
  },
  awaiting: {
    title: (total: string, merchant: string) => `${total} to ${merchant}: waiting for your payment`,
    waiting: 'Waiting for your payment',
    headings: {
      qris: (method: string) => `Scan to pay with ${method}`,
      va: (method: string) => `Transfer to your ${method} virtual account`,
      bank_transfer: (method: string) => `Transfer to this ${method} account`,
      ewallet: (method: string) => `Pay in ${method}`,
    },
    steps: {
      qris: (total: string) => [
        'Open your banking or wallet app and choose to scan a QR code.',
        'Paying on this device? Save the QR code and open it from the gallery in the app.',
        `Check that the amount is ${total}, and confirm.`,
      ],
      va: (total: string) => [
        'Open your banking app and choose a transfer to a virtual account.',
        'Enter the account number above. It is for this payment only.',
        `Pay exactly ${total}.`,
      ],
      bank_transfer: (total: string) => [
        'Open your banking app and choose a transfer.',
        'Enter the account above, and the payment reference if one is shown.',
        `Pay exactly ${total}; another amount is not recognized.`,
      ],
      ewallet: (total: string) => [
        'Open the wallet with the button above, and log in.',
        `Check that the amount is ${total}, and confirm.`,
        'Come back here: this page shows when your payment has arrived.',
      ],
    },
    details: {
      bank: 'Bank',
      bankAddress: 'Bank address',
      accountNumber: 'Account number',
      ach: 'Routing number (ACH)',
      wire: 'Routing number (wire)',
      swift: 'SWIFT code',
      accountName: 'Account name',
      accountAddress: 'Account holder’s address',
      paymentReference: 'Payment reference',
      total: 'Amount to pay',
    },
    copied: (what: string) => `${what} copied.`,
    qrCode: (total: string, merchant: string, method: string) => `QR code: pay ${total} to ${merchant} with ${method}`,
    saveQrCode: 'Save the QR code',
    open: (wallet: string) => `Open ${wallet}`,
    inNewTab: 'in a new tab',
    mayLeave: 'You can leave this page. Your payment will still arrive.',
    play: 'Sandbox only: this button simulates your payment.',
    payNow: (total: string) => `Pay ${total} now`,
  },
  completed: {
    title: (total: string, merchant: string) => `Paid: ${total} to ${merchant}`,
    heading: 'Payment received',
    arrived: (merchant: string) => `Your payment to ${merchant} has arrived.`,
    mayClose: 'You can close this page.',
  },
  expired: {
    title: (merchant: string) => `This checkout of ${merchant} has expired`,
    heading: 'This checkout has expired',
    over: 'It can no longer be paid.',
    /** Followed by a moment. */
    until: 'It could be paid until',
    again: (merchant: string) => `Go back to ${merchant} and start again.`,
    doNotFollow: (method: string) =>
      `Stop using the ${method} instructions that you were shown. If you have already paid, give the merchant the reference below.`,
  },
  errors: {
    notFound: {
      heading: 'There is no checkout here',
      explanation: 'Check the address, or go back to the merchant and start again.',
    },
    refused: {
      heading: 'This was not sent by the checkout page',
      explanation: 'Nothing has changed. Open the checkout at its own address.',
    },
    wrongMethod: {
      heading: 'This cannot be done here',
      explanation: 'Open the checkout at its own address.',
    },
    broken: {
      heading: 'Something went wrong',
      explanation: 'Open this page again in a moment to see the status of your payment.',
    },
  },
};

/** All words of the pages and their script, in one language. */
export type Words = typeof english;

/** A reason why a choice was not accepted. */
export type Problem = keyof Words['choosing']['problems'];

const indonesian: Words = {
  language: 'id',
  secure: 'Pembayaran aman',
  sandboxNote: 'Sandbox: tidak ada uang sungguhan yang berpindah di halaman ini.',
  reference: 'Referensi checkout',
  offline: 'Koneksi terputus. Mencoba lagi…',
  timeLeft: 'Sisa waktu',
  payBefore: 'Bayar sebelum',
  script: {
    left: { 300: 'Sisa 5 menit untuk membayar.', 60: 'Sisa 1 menit untuk membayar.' },
    copy: 'Salin',
    copied: 'Tersalin',
    selected: 'Sudah ditandai. Salin dari sana.',
  },
  back: {
    choosing: (merchant) => `Kembali ke ${merchant} tanpa membayar`,
    awaiting_payment: (merchant) => `Kembali ke ${merchant}`,
    completed: (merchant) => `Kembali ke ${merchant}`,
    expired: (merchant) => `Kembali ke ${merchant}`,
  },
  kinds: { qris: 'Pembayaran QR', va: 'Virtual account', bank_transfer: 'Transfer bank', ewallet: 'Dompet digital' },
  facts: {
    method: 'Metode',
    amount: 'Jumlah',
    fee: 'Biaya',
    none: 'tidak ada',
    total: 'Total pembayaran',
    paid: 'Dibayar',
    when: 'Waktu',
  },
  choosing: {
    title: (amount, merchant) => `Bayar ${amount} ke ${merchant}`,
    said: 'Pilih cara pembayaran.',
    question: 'Bagaimana Anda ingin membayar?',
    withFee: (fee) => `termasuk biaya ${fee}`,
    withoutFee: 'tanpa biaya',
    final: 'Metode tidak dapat diubah setelah ini.',
    next: 'Lanjutkan',
    nextWith: (method) => `Lanjutkan dengan ${method}`,
    problems: {
      missing: 'Pilih salah satu metode pembayaran.',
      gone: 'Metode pembayaran ini tidak dapat digunakan di sini. Pilih yang lain.',
      busy: 'Belum ada yang terpilih karena sedang terlalu ramai. Coba sebentar lagi.',
    },
    noOffers: (merchant) =>
      `Saat ini tidak ada metode pembayaran untuk jumlah ini. Kembali ke ${merchant} dan mulai lagi.`,
  },
  awaiting: {
    title: (total, merchant) => `${total} ke ${merchant}: menunggu pembayaran Anda`,
    waiting: 'Menunggu pembayaran Anda',
    headings: {
      qris: (method) => `Pindai untuk membayar dengan ${method}`,
      va: (method) => `Transfer ke virtual account ${method} Anda`,
      bank_transfer: (method) => `Transfer ke rekening ${method} ini`,
      ewallet: (method) => `Bayar di ${method}`,
    },
    steps: {
      qris: (total) => [
        'Buka aplikasi bank atau dompet digital Anda, lalu pilih pindai kode QR.',
        'Membayar di perangkat ini? Simpan kode QR, lalu buka dari galeri di aplikasi.',
        `Pastikan jumlahnya ${total}, lalu konfirmasi.`,
      ],
      va: (total) => [
        'Buka aplikasi bank Anda, lalu pilih transfer ke virtual account.',
        'Masukkan nomor rekening di atas. Nomor ini hanya untuk pembayaran ini.',
        `Bayar tepat ${total}.`,
      ],
      bank_transfer: (total) => [
        'Buka aplikasi bank Anda, lalu pilih transfer.',
        'Masukkan rekening di atas, dan referensi pembayaran bila ada.',
        `Bayar tepat ${total}; jumlah lain tidak dikenali.`,
      ],
      ewallet: (total) => [
        'Buka dompet digital dengan tombol di atas, lalu masuk.',
        `Pastikan jumlahnya ${total}, lalu konfirmasi.`,
        'Kembali ke sini: halaman ini memberi tahu saat pembayaran sudah masuk.',
      ],
    },
    details: {
      bank: 'Bank',
      bankAddress: 'Alamat bank',
      accountNumber: 'Nomor rekening',
      ach: 'Nomor routing (ACH)',
      wire: 'Nomor routing (wire)',
      swift: 'Kode SWIFT',
      accountName: 'Nama pemilik rekening',
      accountAddress: 'Alamat pemilik rekening',
      paymentReference: 'Referensi pembayaran',
      total: 'Jumlah yang dibayar',
    },
    copied: (what) => `${what} tersalin.`,
    qrCode: (total, merchant, method) => `Kode QR: bayar ${total} ke ${merchant} dengan ${method}`,
    saveQrCode: 'Simpan kode QR',
    open: (wallet) => `Buka ${wallet}`,
    inNewTab: 'di tab baru',
    mayLeave: 'Anda boleh meninggalkan halaman ini: pembayaran tetap akan masuk.',
    play: 'Hanya di sandbox: tombol ini berperan sebagai pelanggan yang pembayarannya masuk.',
    payNow: (total) => `Bayar ${total} sekarang`,
  },
  completed: {
    title: (total, merchant) => `Dibayar: ${total} ke ${merchant}`,
    heading: 'Pembayaran diterima',
    arrived: (merchant) => `Pembayaran Anda ke ${merchant} sudah masuk.`,
    mayClose: 'Anda dapat menutup halaman ini.',
  },
  expired: {
    title: (merchant) => `Checkout ${merchant} ini sudah kedaluwarsa`,
    heading: 'Checkout ini sudah kedaluwarsa',
    over: 'Checkout ini tidak dapat dibayar lagi.',
    until: 'Checkout ini dapat dibayar sampai',
    again: (merchant) => `Kembali ke ${merchant} dan mulai lagi.`,
    doNotFollow: (method) =>
      `Jangan gunakan lagi petunjuk ${method} yang sudah ditampilkan. Jika Anda sudah membayar, sebutkan referensi di bawah kepada penjual.`,
  },
  errors: {
    notFound: {
      heading: 'Tidak ada checkout di sini',
      explanation: 'Periksa alamatnya, atau kembali ke penjual dan mulai lagi.',
    },
    refused: {
      heading: 'Ini tidak dikirim dari halaman checkout',
      explanation: 'Tidak ada yang berubah. Buka lagi checkout dengan alamatnya.',
    },
    wrongMethod: {
      heading: 'Ini tidak dapat dilakukan di sini',
      explanation: 'Buka lagi checkout dengan alamatnya.',
    },
    broken: {
      heading: 'Terjadi kesalahan',
      explanation: 'Buka lagi halaman ini sebentar lagi untuk melihat status pembayaran Anda.',
    },
  },
};

export const pageWords: Readonly<Record<Language, Words>> = { en: english, id: indonesian };
