// pdfkit's build for Node finds its fonts by a path at run time, which a bundle does not have. Its build for browsers gets them
// by registerStdFonts, but the package offers that build only to browsers. So it is imported by its path. Types: pdfkit.d.mts.
import Helvetica from 'pdfkit/standard-fonts/Helvetica';
import HelveticaBold from 'pdfkit/standard-fonts/HelveticaBold';
import PDFDocument, { registerStdFonts } from '../../../node_modules/pdfkit/js/pdfkit.browser.mjs';

registerStdFonts(Helvetica, HelveticaBold);

export default PDFDocument;
