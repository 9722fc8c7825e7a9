// pdfkit's build for Node finds its fonts by a path at run time, which a bundle does not have. Its other build takes them
// from whoever uses it, but the package names that build to browsers only: hence the path. Types: pdfkit.d.mts.
import Helvetica from 'pdfkit/standard-fonts/Helvetica';
import HelveticaBold from 'pdfkit/standard-fonts/HelveticaBold';
import PDFDocument, { registerStdFonts } from '../../../node_modules/pdfkit/js/pdfkit.browser.mjs';

registerStdFonts(Helvetica, HelveticaBold);

export default PDFDocument;
