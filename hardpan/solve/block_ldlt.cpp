#include "hardpan/solve/block_ldlt.h"

#include <algorithm>
#include <limits>

#include "hardpan/core/error.h"
#include "hardpan/solve/panel_kernels.h"

namespace hardpan::solve {
namespace {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
template <class T>
int count(const std::vector<T>& items) {
  return static_cast<int>(items.size());
}

}  // namespace

// While analysing. A place is that of a block in the order of elimination.
struct BlockLdlt::Layout {
  BlockOrder order;
  std::vector<int> start;  // first unknown of each place, and their number
  std::vector<int> panel;  // of each place

  int panels() const { return std::max(0, count(order.panel_start) - 1); }
  int size(int place) const { return start[at(place) + 1] - start[at(place)]; }
  std::span<const int> rows(int p) const {
    return std::span(order.rows)
        .subspan(at(order.row_start[at(p)]), at(order.row_start[at(p) + 1] - order.row_start[at(p)]));
  }
};

void BlockLdlt::analyse(std::span<const int> sizes, std::span<const Place> places, int velocity_blocks) {
  const int blocks = static_cast<int>(sizes.size());
  HARDPAN_CHECK(velocity_blocks >= 0 && velocity_blocks <= blocks, "more velocity blocks than blocks");
  for (int size : sizes) HARDPAN_CHECK(size >= 0, "a block of negative size");
  for (const Place& p : places)
    HARDPAN_CHECK(std::min(p.row, p.column) >= 0 && std::max(p.row, p.column) < blocks,
                  "place outside the matrix");
  Layout layout{order_blocks(sizes, places, velocity_blocks), std::vector<int>(sizes.size() + 1),
                std::vector<int>(sizes.size())};
  for (std::size_t b = 0; b < sizes.size(); ++b) layout.start[at(layout.order.position[b]) + 1] = sizes[b];
  for (std::size_t k = 0; k < sizes.size(); ++k) layout.start[k + 1] += layout.start[k];
  for (int p = 0; p < layout.panels(); ++p)
    for (int k = layout.order.panel_start[at(p)]; k < layout.order.panel_start[at(p) + 1]; ++k)
      layout.panel[at(k)] = p;

  size_ = layout.start.back();
  position_.clear();
  for (std::size_t b = 0; b < sizes.size(); ++b)
    for (int i = 0; i < sizes[b]; ++i) position_.push_back(layout.start[at(layout.order.position[b])] + i);
  lay_out(layout);
  for (int p = 0; p < layout.panels(); ++p) plan_updates(layout, p);
  plan_input(layout, places);
  count_flops();
}

void BlockLdlt::lay_out(const Layout& layout) {
  panels_.clear();
  pieces_.clear();
  updates_.clear();
  std::size_t entries = 0, widest = 0;
  for (int p = 0; p < layout.panels(); ++p) {
    Panel panel{};
    panel.first = layout.start[at(layout.order.panel_start[at(p)])];
    panel.width = layout.start[at(layout.order.panel_start[at(p) + 1])] - panel.first;
    panel.rows = panel.width;
    for (int row : layout.rows(p)) panel.rows += layout.size(row);
    panel.offset = static_cast<int>(entries);
    panels_.push_back(panel);
    const std::size_t cells = at(panel.width) * at(panel.rows);
    entries += cells;
    widest = std::max(widest, cells);
    HARDPAN_CHECK(entries < at(std::numeric_limits<int>::max()), "the factor is too large");
  }
  lower_.assign(entries, 0.0);
  scaled_.assign(widest, 0.0);
  for (auto* vector : {&pivot_, &inverse_, &permuted_}) vector->assign(at(size_), 0.0);
}

void BlockLdlt::plan_updates(const Layout& layout, int p) {
  Panel& panel = panels_[at(p)];
  const std::span<const int> rows = layout.rows(p);
  panel.pieces = count(pieces_);
  int source = 0;
  for (int row : rows) {
    add_piece(panel.pieces, {source, layout.start[at(row)], layout.size(row)});
    source += layout.size(row);
  }
  panel.pieces_end = count(pieces_);

  panel.updates = count(updates_);
  source = 0;
  for (std::size_t k = 0, columns = 0; k < rows.size(); k += columns) {
    columns = 1;
    while (k + columns < rows.size() && rows[k + columns] == rows[k] + static_cast<int>(columns) &&
           layout.panel[at(rows[k + columns])] == layout.panel[at(rows[k])])
      ++columns;
    plan_update(layout, rows.subspan(k), columns, source);
    source += updates_.back().columns;
  }
  panel.updates_end = count(updates_);
}

// The first `columns` of these rows are columns of one later panel, which holds all of these rows.
void BlockLdlt::plan_update(const Layout& layout, std::span<const int> rows, std::size_t columns,
                            int source) {
  const int p = layout.panel[at(rows[0])];
  const Panel& panel = panels_[at(p)];
  Update update{};
  update.source = source;
  update.columns = layout.start[at(rows[columns - 1]) + 1] - layout.start[at(rows[0])];
  update.stride = panel.rows;
  update.offset = panel.offset + (layout.start[at(rows[0])] - panel.first) * panel.rows;
  update.pieces = count(pieces_);
  auto other = layout.rows(p).begin();
  int below = panel.width;
  for (int row : rows) {
    int target = layout.start[at(row)] - panel.first;
    if (layout.panel[at(row)] != p) {
      for (; *other != row; ++other) below += layout.size(*other);
      target = below;
    }
    add_piece(update.pieces, {source, target, layout.size(row)});
    source += layout.size(row);
  }
  update.pieces_end = count(pieces_);
  updates_.push_back(update);
}

// Continues the last piece of the list that begins at `first` where it can.
void BlockLdlt::add_piece(int first, const Piece& piece) {
  if (count(pieces_) > first) {
    Piece& last = pieces_.back();
    if (last.source + last.length == piece.source && last.target + last.length == piece.target) {
      last.length += piece.length;
      return;
    }
  }
  pieces_.push_back(piece);
}

void BlockLdlt::plan_input(const Layout& layout, std::span<const Place> places) {
  inputs_.clear();
  for (const Place& place : places) {
    const int row = layout.order.position[at(place.row)], column = layout.order.position[at(place.column)];
    const int early = std::min(row, column), late = std::max(row, column), p = layout.panel[at(early)];
    const Panel& panel = panels_[at(p)];
    int below = layout.start[at(late)] - panel.first;
    if (layout.panel[at(late)] != p) {
      below = panel.width;
      for (const int* other = layout.rows(p).data(); *other != late; ++other) below += layout.size(*other);
    }
    const int offset = panel.offset + (layout.start[at(early)] - panel.first) * panel.rows + below;
    inputs_.push_back({layout.size(row), layout.size(column), offset, panel.rows, row <= column});
  }
}

void BlockLdlt::count_flops() {
  factor_flops_ = 0;
  for (const Panel& panel : panels_)
    for (int k = 1; k <= panel.width; ++k) {
      const double left = panel.rows - k;
      factor_flops_ += left * (left + 2);  // a column scaled, a triangle of multiplications and subtractions
    }
}

bool BlockLdlt::factor(std::span<const double> values) {
  load(values);
  for (const Panel& panel : panels_) {
    if (!factor_panel(panel)) return false;
    update_later(panel);
  }
  return true;
}

void BlockLdlt::load(std::span<const double> values) {
  std::fill(lower_.begin(), lower_.end(), 0.0);
  const double* value = values.data();
  for (const Input& input : inputs_) {
    const panel::Strip a{lower_.data() + input.offset, input.stride};
    if (input.transposed)  // a row-major block is the transpose of one by columns
      panel::add_block<false>(a, {value, input.columns}, input.columns, input.rows);
    else
      panel::add_block<true>(a, {value, input.columns}, input.rows, input.columns);
    value += input.rows * input.columns;
  }
  HARDPAN_ASSUME(value == values.data() + values.size());
}

bool BlockLdlt::factor_panel(const Panel& panel) {
  const int stride = panel.rows;
  double* a = lower_.data() + panel.offset;
  for (int k = 0; k < panel.width; k += panel::widest) {
    const int columns = std::min(panel::widest, panel.width - k), next = k + columns;
    double* corner = a + k * (stride + 1);
    double* y = scaled_.data() + k * (stride + 1);
    double* pivot = pivot_.data() + panel.first + k;
    double* inverse = inverse_.data() + panel.first + k;
    const bool good = panel::with_width(columns, [&](auto width) {
      return panel::eliminate_columns<width>({corner, stride}, panel.rows - k, pivot, inverse, {y, stride});
    });
    if (!good) return false;
    panel::subtract_product({a + next * (stride + 1), stride}, {corner + columns, stride},
                            {y + columns, stride}, panel.rows - next, panel.width - next, columns, true);
  }
  return true;
}

void BlockLdlt::update_later(const Panel& panel) {
  const double* l = lower_.data() + panel.offset + panel.width;
  const double* y = scaled_.data() + panel.width;
  for (int u = panel.updates; u < panel.updates_end; ++u) {
    const Update& update = updates_[at(u)];
    for (int k = update.pieces; k < update.pieces_end; ++k) {
      const Piece& piece = pieces_[at(k)];
      panel::subtract_product({lower_.data() + update.offset + piece.target, update.stride},
                              {l + piece.source, panel.rows}, {y + update.source, panel.rows}, piece.length,
                              update.columns, panel.width, k == update.pieces);
    }
  }
}

// x_s := L_ss^-1 x_s, then x_b -= L_bs x_s.
void BlockLdlt::forward(const Panel& panel) const {
  const int stride = panel.rows;
  const double* l = lower_.data() + panel.offset;
  double* x = permuted_.data() + panel.first;
  for (int k = 0; k < panel.width; k += panel::widest) {
    const int columns = std::min(panel::widest, panel.width - k), next = k + columns;
    const double* corner = l + k * (stride + 1);
    panel::with_width(columns, [&](auto width) { panel::solve_lower<width>(x + k, {corner, stride}); });
    panel::subtract_vector(x + next, {corner + columns, stride}, x + k, panel.width - next, columns);
  }
  for (int k = panel.pieces; k < panel.pieces_end; ++k) {
    const Piece& piece = pieces_[at(k)];
    panel::subtract_vector(permuted_.data() + piece.target, {l + panel.width + piece.source, stride}, x,
                           piece.length, panel.width);
  }
}

// x_s := L_ss^-T (D_s^-1 x_s - L_bs^T x_b).
void BlockLdlt::backward(const Panel& panel) const {
  const int stride = panel.rows;
  const double* l = lower_.data() + panel.offset;
  double* x = permuted_.data() + panel.first;
  for (int j = 0; j < panel.width; ++j) x[j] *= inverse_[at(panel.first + j)];
  for (int k = panel.pieces; k < panel.pieces_end; ++k) {
    const Piece& piece = pieces_[at(k)];
    panel::subtract_transposed(x, {l + panel.width + piece.source, stride}, permuted_.data() + piece.target,
                               piece.length, panel.width);
  }
  for (int next = panel.width, columns = 0; next > 0; next -= columns) {
    columns = next % panel::widest == 0 ? panel::widest : next % panel::widest;
    const int k = next - columns;
    const double* corner = l + k * (stride + 1);
    panel::subtract_transposed(x + k, {corner + columns, stride}, x + next, panel.width - next, columns);
    panel::with_width(columns, [&](auto width) { panel::solve_upper<width>(x + k, {corner, stride}); });
  }
}

void BlockLdlt::solve(std::span<double> x) const {
  HARDPAN_ASSUME(x.size() == position_.size());
  for (std::size_t i = 0; i < position_.size(); ++i) permuted_[at(position_[i])] = x[i];
  for (const Panel& panel : panels_) forward(panel);
  for (std::size_t k = panels_.size(); k-- > 0;) backward(panels_[k]);
  for (std::size_t i = 0; i < position_.size(); ++i) x[i] = permuted_[at(position_[i])];
}

}  // namespace hardpan::solve
