"""The paper's lists: what counts as a target, and what is never worth a request."""

PAPER_TARGETS = frozenset(
    """
    application/csv application/json application/msword application/octet-stream application/pdf
    application/rdf+xml application/rss+xml application/vnd.ms-excel
    application/vnd.ms-excel.sheet.macroenabled.12
    application/vnd.oasis.opendocument.presentation
    application/vnd.oasis.opendocument.spreadsheet application/vnd.oasis.opendocument.text
    application/vnd.openxmlformats-officedocument.presentationml.presentation
    application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
    application/vnd.openxmlformats-officedocument.wordprocessingml.document
    application/vnd.openxmlformats-officedocument.wordprocessingml.template application/vnd.rar
    application/x-7z-compressed application/x-csv application/x-gtar application/x-gzip
    application/xml application/x-pdf application/x-rar-compressed application/x-tar
    application/x-yaml application/x-zip-compressed application/yaml application/zip
    application/zip-compressed text/comma-separated-values text/csv text/json text/plain
    text/x-comma-separated-values text/x-csv text/x-yaml text/yaml
    """.split()
)
"""The 38 MIME types that the paper calls targets."""

BLOCKED_EXTENSIONS = frozenset(
    """
    .3g2 .3ga .3gp2 .3gp .3gpa .3gpp2 .3gpp .aac .aacp .adp .aff .aif .aiff .arw .asf .asx .avi
    .avif .avifs .bmp .btif .cgm .cmx .cr2 .crw .dcr .djv .djvu .dng .dts .dtshd .dwg .dxf
    .ecelp4800 .ecelp7470 .ecelp9600 .eol .erf .f4v .fbs .fh4 .fh5 .fh7 .fh .fhc .flac .fli .flv
    .fpx .fst .fvt .g3 .gif .h261 .h263 .h264 .heic .heif .icns .ico .ief .jfi .jfif-tbnl .jfif
    .jif .jpe .jpeg .jpg .jpgm .jpgv .jpm .k25 .kar .kdc .lvp .m1v .m2a .m2v .m3a .m3u .m4a .m4b
    .m4p .m4r .m4u .m4v .mdi .mid .midi .mj2 .mjp2 .mka .mkv .mmr .mov .movie .mp2 .mp2a .mp3
    .mp4 .mp4v .mpa .mpe .mpeg .mpg4 .mpg .mpga .mrw .mxu .nef .npx .oga .ogg .ogv .opus .orf
    .pbm .pct .pcx .pef .pgm .pic .pjpg .png .pnm .ppm .psd .ptx .pya .pyv .qt .ra .raf .ram
    .ras .raw .rgb .rlc .rmi .rmp .rw2 .rwl .snd .spx .sr2 .srf .svg .svgz .tif .tiff .ts .viv
    .wav .wax .wbmp .weba .webm .webp .wm .wma .wmv .wmx .wvx .x3f .xbm .xif .xpm .xwd
    """.split()
)
"""Extensions of pictures, sound and film: links that have one are dropped."""
